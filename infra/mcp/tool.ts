import type { ImageContent, ResourceLink } from '@modelcontextprotocol/server';
import type { Service } from '../../contracts/client/index.ts';
import type { OnCalled } from './called.ts';
import type { LargeRead } from './large-read.ts';
import type { Opened } from './opened.ts';
import type { Secrets } from './secrets.ts';

/** The ports of a tool. It uses the service only by the typed client. */
export interface ToolContext {
  readonly service: Service;
  /** Public URL of the console, without a final slash. */
  readonly consoleUrl: string;
  /** Resources that end with the connection; undefined for stateless requests. */
  readonly opened: Opened | undefined;
  readonly secrets: Secrets;
  /** Aborted when the client cancels, or disconnects. */
  readonly signal: AbortSignal;
  /** Asks a person to open a URL. Undefined if the client does not support it. */
  readonly askPerson: AskPerson | undefined;
  /** Limits concurrent reads of files, captures and extracted data. Undefined over stdio, where there is one client. */
  readonly largeRead?: LargeRead | undefined;
}

/** The person's reply to the previous request; undefined before they were asked. */
export interface AskPerson {
  readonly reply: 'accept' | 'decline' | 'cancel' | undefined;
}

/** The ports of every call of a connection. */
export type ConnectionContext = Omit<ToolContext, 'signal' | 'askPerson'> & {
  readonly onCalled?: OnCalled | undefined;
};

export interface Answer {
  /** Words of the service. */
  readonly lines: readonly string[];
  /** Words of a page, or of an agent that has read one: enclosed in lines that say so. */
  readonly words?: readonly string[];
  readonly source?: string;
  /** Lines behind them: what was left out, and the next step. */
  readonly more?: readonly string[];
  readonly structured: Readonly<Record<string, unknown>>;
  readonly attachments?: readonly (ImageContent | ResourceLink)[];
  readonly isError?: true;
}

/** A person has to open this URL before the call is answered. */
export interface Asking {
  readonly ask: { readonly message: string; readonly url: string };
}

type JsonSchema = Readonly<Record<string, unknown>>;

export interface Tool<Args = never> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly hints: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  /** Properties of the arguments; required ones end with `!`. */
  readonly takes: Readonly<Record<string, JsonSchema>>;
  /** Properties of `structuredContent`; none is required. */
  readonly gives: Readonly<Record<string, JsonSchema>>;
  run(context: ToolContext, args: Args): Promise<Answer | Asking>;
}

export const defineTool = <Args>(tool: Tool<Args>): Tool<Args> => tool;

/** Hints about each tool's effects, with defaults. */
export const hints = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  own: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  acts: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  ends: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
} as const;

const string = { type: 'string' } as const;
export const schemas = {
  string,
  boolean: { type: 'boolean' },
  object: { type: 'object' },
  count: { type: 'integer', minimum: 0 },
  session: { type: 'string', description: 'Browser id, ses_…', minLength: 3 },
  strings: { type: 'array', items: string },
  objects: { type: 'array', items: { type: 'object' } },
  oneOf: (...values: readonly string[]) => ({ type: 'string', enum: values }),
  described: (description: string, schema: JsonSchema = string) => ({ ...schema, description }),
} as const;

const element = { ref: string, role: string, name: string, value: string, states: schemas.strings };

/** Properties of every answer with a page. */
export const pageShape = {
  session: string,
  url: string,
  title: string,
  elements: { type: 'array', items: { type: 'object', properties: element } },
  left: schemas.count,
  untrusted: string,
} as const;

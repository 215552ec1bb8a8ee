import type { ImageContent, ResourceLink } from '@modelcontextprotocol/server';
import type { Service } from '../../contracts/client/index.ts';
import type { OnCalled } from './called.ts';
import type { Opened } from './opened.ts';
import type { Secrets } from './secrets.ts';

/** What a tool works with. It knows the service by the typed client, and nothing else of it. */
export interface ToolContext {
  readonly service: Service;
  /** Where people find the console, without a slash at its end. */
  readonly consoleUrl: string;
  /** Those that end with the connection; none where a request is all there is of one. */
  readonly opened: Opened | undefined;
  readonly secrets: Secrets;
  /** Ends when the client cancels, or leaves. */
  readonly signal: AbortSignal;
  /** Asks a person to open an address. Undefined where the client cannot. */
  readonly askPerson: AskPerson | undefined;
}

/** What the person said the round before; undefined before they were asked. */
export interface AskPerson {
  readonly said: 'accept' | 'decline' | 'cancel' | undefined;
}

/** What every call of a connection works with. */
export type ConnectionContext = Omit<ToolContext, 'signal' | 'askPerson'> & {
  readonly onCalled?: OnCalled | undefined;
};

export interface Answer {
  /** Our own words. */
  readonly lines: readonly string[];
  /** Of a page, or of an agent that has read one: set between lines that say so. */
  readonly words?: readonly string[];
  readonly whose?: string;
  /** What follows them: what was left out, and what to do next. */
  readonly more?: readonly string[];
  readonly structured: Readonly<Record<string, unknown>>;
  readonly beside?: readonly (ImageContent | ResourceLink)[];
  readonly isError?: true;
}

/** A person is to open this address before the call is answered. */
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
  /** Properties of the arguments; those that are required end with `!`. */
  readonly takes: Readonly<Record<string, JsonSchema>>;
  /** Properties of `structuredContent`, beside `open`. None but `open` are required. */
  readonly gives: Readonly<Record<string, JsonSchema>>;
  run(context: ToolContext, args: Args): Promise<Answer | Asking>;
}

export const defineTool = <Args>(tool: Tool<Args>): Tool<Args> => tool;

/** What each tool does to the world, by what most of them do. */
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
  session: { type: 'string', description: 'Browser id, ses_…' },
  strings: { type: 'array', items: string },
  objects: { type: 'array', items: { type: 'object' } },
  oneOf: (...values: readonly string[]) => ({ type: 'string', enum: values }),
  said: (description: string, schema: JsonSchema = string) => ({ ...schema, description }),
} as const;

const element = { ref: string, role: string, name: string, value: string, states: schemas.strings };

/** Of whatever shows a page. */
export const pageShape = {
  session: string,
  url: string,
  title: string,
  elements: { type: 'array', items: { type: 'object', properties: element } },
  left: schemas.count,
  untrusted: string,
} as const;

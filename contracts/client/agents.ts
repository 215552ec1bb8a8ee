/// <reference lib="esnext.disposable" preserve="true" />
import { methodName, sentOf } from './area.ts';
import type { Call } from './call.ts';
import type { Connection } from './connection.ts';
import { agents as operations, type AgentsOperations } from './generated/areas.ts';
import { agents as rows } from './generated/operations.ts';
import type * as t from './generated/types.ts';
import { bodyAndOptions, handles, setFields, type Beside, type Bound } from './handle.ts';
import type { List } from './list.ts';
import { operationOf } from './operation.ts';
import type { CallOptions } from './options.ts';
import { resumed } from './stream.ts';
import { Turn } from './turn.ts';

/** Operations of no agent session, and those that a handle has in another form. */
const others = ['create', 'get', 'list', 'message', 'transcript', 'mode', 'close'] as const;
/** Operations that a handle has unchanged: all the others. */
type BoundName = Exclude<keyof AgentsOperations, (typeof others)[number]>;
const isBound = (name: string): name is BoundName => !(others as readonly string[]).includes(name);

export interface TranscriptOptions extends CallOptions {
  /** Index of the entry to start after; by default, the first entry is included. */
  readonly after?: number | undefined;
}

/** Fields of a message beside its text. */
export type MessageOptions = Beside<t.AgentMessage, 'user_message'>;

/** An agent session with its operations. Its fields are as last read. */
export interface AgentHandle extends t.AgentSession, Bound<AgentsOperations, BoundName> {
  /** Sends a message: await its turn for the answer, or read its steps. */
  send(message: string, options?: MessageOptions): Turn;
  /** Entries as they are added, up to the last one of a closed agent session. A broken stream is resumed where it stopped. */
  transcript(options?: TranscriptOptions): AsyncGenerator<t.IndexedEntry, void, undefined>;
  setMode(mode: t.ChangeMode['mode'], options?: CallOptions): Promise<AgentHandle>;
  /** Reads the agent session again and updates this handle. */
  refresh(options?: CallOptions): Promise<AgentHandle>;
  /** Closes the agent session and ends the browser that it started. `await using` does so too. */
  end(options?: CallOptions): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface AgentsArea extends Omit<
  AgentsOperations,
  'create' | 'get' | 'list' | 'message' | 'transcript'
> {
  create(body?: t.CreateAgentSession, options?: CallOptions): Call<AgentHandle>;
  get(
    id: string,
    query?: { readonly as_of?: string | undefined } & CallOptions,
    options?: CallOptions,
  ): Call<AgentHandle>;
  list(
    query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined } & CallOptions,
    options?: CallOptions,
  ): List<AgentHandle>;
  message(id: string, body: t.AgentMessage, options?: CallOptions): Turn;
  transcript(id: string, options?: TranscriptOptions): AsyncGenerator<t.IndexedEntry, void, undefined>;
}

/** Agent sessions. */
export function agents(connection: Connection): AgentsArea {
  const own = operations(connection);
  const messageOperation = operationOf('agent-sessions.message', rows.message);
  const message: AgentsArea['message'] = (id, body, options) => {
    const sent = sentOf(messageOperation, [id, body, options]);
    return new Turn(connection, messageOperation, { ...sent, accept: 'text/event-stream' });
  };
  const transcript: AgentsArea['transcript'] = (id, options) => entriesOf(connection, own, id, options);
  const handle = handles<t.AgentSession, Methods>((made) =>
    methodsOf({ ...own, message, transcript }, made as AgentHandle),
  ) as (session: t.AgentSession) => AgentHandle;
  return {
    ...own,
    message,
    transcript,
    create: (body, options) => own.create(body, options).map(handle),
    get: (id, query, options) => own.get(id, query, options).map(handle),
    list: (query, options) => own.list(query, options).map(handle),
  };
}

async function* entriesOf(
  connection: Connection,
  own: AgentsOperations,
  id: string,
  { after, ...options }: TranscriptOptions = {},
): AsyncGenerator<t.IndexedEntry, void, undefined> {
  const operation = operationOf('agent-sessions.transcript', rows.transcript);
  const lastEventId = after === undefined ? undefined : String(after);
  const sent = { ...sentOf(operation, [id, options]), lastEventId };
  let whole: string | undefined;
  // A stream that ends before the last entry of a closed session was cut on the way. A turn that was running at the close adds
  // another entry, so the transcript is over once a further stream has none.
  const isOver = async (last = '-1'): Promise<boolean> => {
    if (last === whole) return true;
    const { status, transcript_length: length } = await own.get(id, options);
    if (status === 'closed' && Number(last) >= length - 1) whole = last;
    return false;
  };
  for await (const { event, data } of resumed(connection, operation, sent, isOver))
    if (event === 'transcript.entry') yield JSON.parse(data) as t.IndexedEntry;
}

type Own = Omit<AgentsOperations, 'message' | 'transcript'> & Pick<AgentsArea, 'message' | 'transcript'>;

/** A handle's members beside the fields of its agent session. */
type Methods = Omit<AgentHandle, keyof t.AgentSession | typeof Symbol.asyncDispose>;

function methodsOf(own: Own, handle: AgentHandle): Methods {
  const { id } = handle;
  const update = (changed: t.AgentSession): AgentHandle => setFields(handle, changed);
  const names = Object.keys(rows).map(methodName).filter(isBound);
  const bound = names.map((name) => {
    const operation = own[name] as (...given: unknown[]) => unknown;
    return [name, (...given: unknown[]) => operation(id, ...given)];
  });
  return {
    ...(Object.fromEntries(bound) as Bound<AgentsOperations, BoundName>),
    send: (text, beside) =>
      own.message(id, ...bodyAndOptions<t.AgentMessage>({ user_message: text }, beside)),
    transcript: (options) => own.transcript(id, options),
    setMode: async (mode, options) => update(await own.mode(id, { mode }, options)),
    refresh: async (options) => update(await own.get(id, options)),
    end: async (options) => void update(await own.close(id, options)),
  };
}

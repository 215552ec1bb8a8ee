import { request, type IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createParser } from 'eventsource-parser';
import type { IndexedEntry } from '../../contracts/resources/agent-turn.ts';
import type { ApiKeyId } from '../../contracts/ids.ts';
import { afterTest, until } from '../../infra/verification/testbed/index.ts';
import { Conversation } from '../../projections/testing/agent-sessions.ts';
import type { ReadApi } from '../testing.ts';

export interface OpenStream<Item = IndexedEntry> {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Entries, or the data of other events, received so far. */
  readonly entries: Item[];
  readonly ids: string[];
  readonly comments: string[];
  readonly retries: number[];
  text(): string;
  /** `ended`: the answer ended; `cut`: the connection broke. */
  outcome(): 'open' | 'ended' | 'cut';
  received(entries: number): Promise<void>;
  over(): Promise<'ended' | 'cut'>;
  /** Stops reading from the connection. */
  pause(): void;
  resume(): void;
  leave(): void;
}

interface Asked {
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** The only kind of event that it may send. */
  readonly kind?: string;
}

/** Opens a stream, by default of a transcript, as an event source does. It ends with the test. */
export async function openStream<Item = IndexedEntry>(
  port: number,
  path: string,
  { token, headers = {}, kind = 'transcript.entry' }: Asked,
): Promise<OpenStream<Item>> {
  const sent = request({
    ...{ port, path, agent: false },
    headers: {
      accept: 'text/event-stream',
      ...(token === undefined || token === null ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
  });
  const leave = () => void sent.destroy();
  afterTest(leave);
  sent.on('error', () => undefined);
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end();
  });
  const response = await answered;
  return { ...collected<Item>(response, kind), leave };
}

function collected<Item>(response: IncomingMessage, kind: string): Omit<OpenStream<Item>, 'leave'> {
  const [entries, ids, comments, retries, chunks]: [Item[], string[], string[], number[], Buffer[]] = [
    [],
    [],
    [],
    [],
    [],
  ];
  let outcome: 'open' | 'ended' | 'cut' = 'open';
  const parser = createParser({
    onEvent: ({ event, id = '', data }) => {
      if (event !== kind) throw new Error(`An event of another kind: ${event}`);
      ids.push(id);
      entries.push(JSON.parse(data) as Item);
    },
    onComment: (text) => comments.push(text),
    onRetry: (milliseconds) => retries.push(milliseconds),
  });
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    parser.feed(chunk.toString());
  });
  response.on('end', () => (outcome = 'ended'));
  response.on('error', () => (outcome = 'cut'));
  return {
    ...{ entries, ids, comments, retries },
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => Buffer.concat(chunks).toString(),
    outcome: () => outcome,
    received: async (count) => {
      await until(() => entries.length >= count);
    },
    over: () => until(() => (outcome === 'open' ? undefined : outcome)),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
  };
}

/** An agent session of an account with a key. */
export class Talk extends Conversation {
  readonly key: { readonly id: ApiKeyId; readonly text: string };

  constructor({ account, key }: Awaited<ReturnType<ReadApi['addAccount']>>, { vault }: ReadApi) {
    super(account, vault.seal);
    this.key = key;
  }
}

export const pathOf = ({ id }: Pick<Talk, 'id'>): string => `/v1/agent-sessions/${id}/transcript`;

/** An agent session of a new account, on a read-api. */
export async function talking(api: ReadApi): Promise<Talk> {
  const talk = new Talk(await api.addAccount(), api);
  await write(api, talk, talk.created());
  return talk;
}

export const listen = (
  { port }: ReadApi,
  talk: Talk,
  headers: Readonly<Record<string, string>> = {},
  token = talk.key.text,
): Promise<OpenStream> => openStream(port, pathOf(talk), { token, headers });

export const write = (api: ReadApi, talk: Talk, ...events: Parameters<ReadApi['write']>[2]) =>
  api.write(talk.account, talk.stream, events);

/** Resolves once it has been open long enough for all existing entries to be sent. */
export function isQuiet(stream: Pick<OpenStream, 'comments'>, beats = 2): Promise<true> {
  const seen = stream.comments.length;
  return until(() => stream.comments.length >= seen + beats);
}

/** Collects what a stream sends. */
export function read(stream: Readable) {
  let sent = '';
  let outcome = 'open';
  stream.on('data', (chunk: Buffer) => (sent += chunk.toString()));
  stream.once('end', () => (outcome = 'ended')).once('error', () => undefined);
  stream.once('close', () => (outcome = outcome === 'open' ? 'cut' : outcome));
  return {
    indexes: () => [...sent.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id)),
    sent: () => sent,
    outcome: () => outcome,
  };
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as a receiver got it, and the receiver's answer. */
export interface ReceivedMessage {
  readonly path: string;
  readonly id: string;
  readonly type: string;
  readonly signature: string;
  readonly body: string;
  /** When it had arrived completely, in milliseconds since the epoch. */
  readonly at: number;
  /** Undefined if no whole status line was sent. */
  readonly answered: number | undefined;
}

/** Answers a message, and returns the status. `count` is the number of earlier messages on the same path. */
export type Answer = (response: ServerResponse, count: number) => number | undefined;

/** Customers' servers on one loopback port, with a path each. Their records survive faults elsewhere. */
export interface TestReceivers {
  readonly received: readonly ReceivedMessage[];
  /** An address of its own for each name. */
  url(kind: string, name: string): string;
  /** Resolves with the next message. */
  next(): Promise<ReceivedMessage>;
  /** Sets the answer of all of them; undefined restores their own. */
  override(answer: Answer | undefined): void;
  /** Connections are refused until `back`. */
  away(): Promise<void>;
  back(): Promise<void>;
  close(): Promise<void>;
}

/** @param answers by the kind that is named in the address */
export async function startReceivers(answers: Readonly<Record<string, Answer>>): Promise<TestReceivers> {
  const received: ReceivedMessage[] = [];
  const counts = new Map<string, number>();
  const waiting: ((message: ReceivedMessage) => void)[] = [];
  let instead: Answer | undefined;

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = await messageOf(request);
    const count = counts.get(sent.path) ?? 0;
    counts.set(sent.path, count + 1);
    const at = Date.now();
    const answer = instead ?? answers[sent.path.split('/')[1] ?? ''];
    const message = { ...sent, at, answered: answer?.(response, count) };
    received.push(message);
    waiting.splice(0).forEach((resolve) => resolve(message));
  };
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    // A request that was cut off does not count.
    take(request, response).catch(() => undefined);
  });
  const listen = (port: number) => once(server.listen(port, '127.0.0.1'), 'listening');
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const away = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server.close(), 'close');
    server.closeAllConnections();
    await closed;
  };
  return {
    received,
    url: (kind, name) => `http://127.0.0.1:${port}/${kind}/${name}`,
    next: () => new Promise((resolve) => waiting.push(resolve)),
    override: (answer) => (instead = answer),
    away,
    back: async () => {
      if (!server.listening) await listen(port);
    },
    close: away,
  };
}

async function messageOf(request: IncomingMessage): Promise<Omit<ReceivedMessage, 'at' | 'answered'>> {
  const { url = '', headers } = request;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return {
    path: url,
    id: String(headers['x-service-event-id']),
    type: String(headers['x-service-event-type']),
    signature: String(headers['x-service-signature']),
    body: Buffer.concat(chunks).toString(),
  };
}

export const answerWith =
  (status: number): Answer =>
  (response) => {
    response.writeHead(status).end();
    return status;
  };

export const answerNothing: Answer = () => undefined;

export const reset: Answer = ({ socket }) => {
  socket?.resetAndDestroy();
  return undefined;
};

import type { ServerResponse } from 'node:http';
import {
  answerNothing,
  answerWith,
  reset,
  startReceivers,
  type Answer,
  type TestReceivers,
} from '../../testbed/index.ts';

const DRIP_MS = 300;

/** A status line without an end. */
const drip: Answer = ({ socket }) => {
  if (socket === null) return undefined;
  const dripping = setInterval(() => socket.write(' '), DRIP_MS);
  socket.write('HTTP/1.1 ');
  socket.on('close', () => clearInterval(dripping));
  return undefined;
};

const piece = Buffer.alloc(65_536);

/** An endless body, as fast as it is read. */
const flood: Answer = (response) => {
  response.writeHead(200);
  pour(response);
  return 200;
};

function pour(response: ServerResponse): void {
  if (response.destroyed) return;
  response.write(piece, () => setImmediate(pour, response));
}

const ok = answerWith(200);
const failing = answerWith(503);

/** How long an unstable receiver keeps its behaviour, in milliseconds. */
const PHASE_MS = 3_000;

/** Behaviours of customers' servers. Endpoints are registered with each of them. */
export const receiverKinds = {
  good: ok,
  'failing-now-and-then': (response, count) => (count % 3 === 1 ? failing : ok)(response, count),
  hanging: answerNothing,
  dripping: drip,
  resetting: reset,
  endless: flood,
  'status-299': answerWith(299),
  'status-300': answerWith(300),
  'gone-for-a-while': (response, count) =>
    (Math.floor(Date.now() / PHASE_MS) % 2 === 0 ? ok : reset)(response, count),
} as const satisfies Readonly<Record<string, Answer>>;

export type ReceiverKind = keyof typeof receiverKinds;

export const startCustomers = (): Promise<TestReceivers> => startReceivers(receiverKinds);

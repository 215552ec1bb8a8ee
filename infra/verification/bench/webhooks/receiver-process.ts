import { createServer } from 'node:http';

/**
 * Receivers in a process of their own, by path: `/ok/<n>` answers 204 at once, `/slow/<n>` after 5 ms, `/hang/<n>`
 * never. Sends `{port}` when it serves. Answers `count` with the number of requests, and any other message with the
 * requests since the last one, which it then forgets.
 */
export interface Seen {
  /**
   * By path and envelope id, when its first request arrived, in milliseconds since the epoch; without those that hang.
   */
  readonly arrivals: readonly (readonly [id: string, at: number])[];
  /** Maximal number of concurrent requests. */
  readonly mostAtOnce: number;
}

const slowMs = 5;
let arrivals = new Map<string, readonly [id: string, at: number]>();
let [count, atOnce, mostAtOnce] = [0, 0, 0];

const server = createServer((request, response) => {
  request.resume();
  const { url = '' } = request;
  count += 1;
  if (url.startsWith('/hang/')) return;
  const id = String(request.headers['x-service-event-id']);
  if (!arrivals.has(`${url} ${id}`)) arrivals.set(`${url} ${id}`, [id, Date.now()]);
  atOnce += 1;
  mostAtOnce = Math.max(mostAtOnce, atOnce);
  response.once('close', () => (atOnce -= 1));
  const answer = () => response.writeHead(204).end();
  if (url.startsWith('/slow/')) setTimeout(answer, slowMs);
  else answer();
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 });
});
process.on('message', (message) => {
  if (message === 'count') return process.send?.(count);
  process.send?.({ arrivals: [...arrivals.values()], mostAtOnce } satisfies Seen);
  arrivals = new Map();
  mostAtOnce = 0;
});
process.once('disconnect', () => process.exit());

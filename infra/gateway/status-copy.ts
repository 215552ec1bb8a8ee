import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Pool } from 'undici';

/** Maximum age of a copy before it is fetched again, in milliseconds. */
const freshMs = 250;
/** How long a fetch may take before the present copy is served, in milliseconds. */
const fetchMs = 1_000;

const path = '/v1/status';
/** Headers of the upstream that do not depend on the request. */
const copiedHeaders = ['content-type', 'cache-control', 'x-content-type-options'];

interface Copy {
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** Milliseconds by `performance.now()`. */
  readonly fetchedAt: number;
  /** Age of the state at that time, in seconds. */
  readonly age: number;
}

/**
 * A cache of the public status of the read side, which is read most when the service is down. The upstream is queried
 * at most a few times a second, regardless of the number of clients. While it is unavailable, the last answer is
 * served, with its `Age` (RFC 9111, 5.1).
 */
export function createStatusCopy(upstream: Pick<Pool, 'request'>) {
  let copy: Copy | undefined;
  let fetching: Promise<void> | undefined;
  /** Time of the last fetch, by `performance.now()`, and whether it failed. */
  let tried = { at: -Infinity, isAway: false };

  /** Single flight; rejects on failure. */
  const refresh = (): Promise<void> =>
    (fetching ??= fetchCopy(upstream)
      .then(
        (fetched) => {
          copy = fetched;
          tried = { at: performance.now(), isAway: false };
        },
        (error: unknown) => {
          tried = { at: performance.now(), isAway: true };
          throw error;
        },
      )
      .finally(() => {
        fetching = undefined;
      }));

  return {
    /** Whether the request is for the status. A request with `as_of` is not: the read side refuses it. */
    isFor: ({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean => {
      const [asked, query] = url.split('?', 2);
      return method === 'GET' && asked === path && !new URLSearchParams(query).has('as_of');
    },
    /** Rejects if there is no copy and none can be fetched. */
    async answer(response: ServerResponse, requestId: string): Promise<void> {
      const isFresh = copy !== undefined && performance.now() - tried.at < freshMs;
      if (!isFresh) {
        const refreshed = refresh().catch((error: unknown) => {
          if (copy === undefined) throw error;
        });
        // Clients do not wait for an unavailable upstream, which is still polled.
        if (copy === undefined || !tried.isAway) await refreshed;
      }
      if (copy !== undefined) write(response, requestId, copy);
    },
  };
}

async function fetchCopy(upstream: Pick<Pool, 'request'>): Promise<Copy> {
  const signal = AbortSignal.timeout(fetchMs);
  const { statusCode, headers, body: answered } = await upstream.request({ path, method: 'GET', signal });
  const body = Buffer.from(await answered.arrayBuffer());
  if (statusCode !== 200) throw new Error(`The status was answered ${statusCode}.`);
  return { headers: copied(headers), body, fetchedAt: performance.now(), age: Number(headers.age ?? 0) };
}

const copied = (headers: IncomingHttpHeaders): string[] =>
  copiedHeaders.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [name, value] : [];
  });

function write(response: ServerResponse, requestId: string, { headers, body, fetchedAt, age }: Copy): void {
  const seconds = age + Math.floor((performance.now() - fetchedAt) / 1000);
  response.writeHead(200, [
    ...headers,
    ...['x-request-id', requestId, 'age', String(seconds), 'content-length', String(body.length)],
  ]);
  response.end(body);
}

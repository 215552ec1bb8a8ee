import type { IncomingHttpHeaders } from 'node:http';
import type { LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { lookupOf } from '../../outbound/checked-lookup.ts';
import type { OutboundGuard } from '../../outbound/guard.ts';
import { readAtMost } from '../../platform/read-at-most.ts';

/** Maximum bytes of an answer. The longest plan has some tens of kilobytes. */
const longestAnswer = 1024 * 1024;

/** Allowed headers. Others of the SDK or its environment variables are dropped, among them a key of its own. */
const sent = ['accept', 'anthropic-version', 'authorization', 'content-type', 'user-agent'];
const kept = ['content-type', 'retry-after'] as const;

/**
 * `fetch` for the SDK. Only checked addresses are dialled, for each connection; redirects are not followed. An answer is read
 * completely, up to the limit, before it is returned, so that one that breaks off or drips is a failed or an aborted request.
 */
export function createGuardedFetch(guard: OutboundGuard) {
  const lookup: LookupFunction = (hostname, options, done) => {
    guard.resolve(hostname, null).then(
      (addresses) => lookupOf(addresses)(hostname, options, done),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), ''),
    );
  };
  // The signal of each request limits its whole duration.
  const dispatcher = new Agent({ connect: { lookup }, headersTimeout: 0, bodyTimeout: 0 });
  return async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = guard.checkUrl(input instanceof Request ? input.url : String(input));
    const given = new Headers(init.headers);
    const { statusCode, headers, body } = await request(url, {
      dispatcher,
      method: 'POST',
      headers: Object.fromEntries(sent.map((name) => [name, given.get(name) ?? ''])),
      body: typeof init.body === 'string' ? init.body : null,
      ...(init.signal && { signal: init.signal }),
    });
    const bytes = await readAtMost(longestAnswer, body);
    return new Response(bytes.length > 0 ? bytes : null, { status: statusCode, headers: pick(headers) });
  };
}

const pick = (headers: IncomingHttpHeaders): [string, string][] =>
  kept.flatMap((name): [string, string][] => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value]];
  });

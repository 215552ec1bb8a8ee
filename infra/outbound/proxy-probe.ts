import { request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { ProxyFailure } from '../../contracts/events/proxy.ts';
import type { DialledProxy } from '../../contracts/resources/proxy.ts';
import { OutboundRefused, type OutboundGuard } from './guard.ts';
import { UpstreamAuthFailed, UpstreamBlocked, dialThrough, secured } from './upstream.ts';

export interface ProxyProbeOptions {
  readonly guard: OutboundGuard;
  /** An http or https URL that answers a GET. */
  readonly checkUrl: string;
  readonly timeoutMs?: number;
}

/** Sends one request through a proxy and returns the reason of its failure; null if there was any answer. */
export const createProxyProbe =
  ({ guard, checkUrl, timeoutMs = 10_000 }: ProxyProbeOptions) =>
  async (upstream: DialledProxy): Promise<ProxyFailure | null> => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      await get(guard, upstream, new URL(checkUrl), signal);
      return null;
    } catch (error) {
      if (signal.aborted) return 'timeout';
      if (error instanceof UpstreamAuthFailed) return 'auth_failed';
      if (error instanceof UpstreamBlocked || error instanceof OutboundRefused) return 'egress_blocked';
      return 'unreachable';
    }
  };

async function get(
  guard: OutboundGuard,
  upstream: DialledProxy,
  url: URL,
  signal: AbortSignal,
): Promise<void> {
  const isSecure = url.protocol === 'https:';
  const target = { host: url.hostname, port: Number(url.port || (isSecure ? 443 : 80)) };
  const socket = await dialThrough(guard, upstream, target, signal);
  try {
    const line = isSecure ? await secured(socket, url.hostname, signal) : socket;
    const asking = request({
      createConnection: () => line,
      path: url.pathname + url.search,
      headers: { host: url.host, connection: 'close' },
      signal,
    }).end();
    const [answer] = (await once(asking, 'response', { signal })) as [IncomingMessage];
    answer.resume();
  } finally {
    socket.destroy();
  }
}

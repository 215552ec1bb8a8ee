import type { IncomingMessage } from 'node:http';
import { parsedUrl } from '../../contracts/url.ts';
import { isLoopback } from '../platform/loopback.ts';
import { bearerToken, sameSecret } from '../platform/presented-secrets.ts';

/** Headers by which proxies name their clients. */
const forwarding = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/** The requested host, without port. */
function hostOf({ headers: { host = '' } }: IncomingMessage): string {
  return parsedUrl(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '') ?? '';
}

/**
 * Whether a caller may see internals: it is on this machine, or sends the token as its `Bearer`. Requests through a proxy on this
 * machine count as its clients': the proxy names them, or keeps the requested host. That also covers DNS rebinding to loopback.
 */
export function isInsider(request: IncomingMessage, token: string | undefined): boolean {
  const presented = bearerToken(request.headers.authorization);
  if (presented !== undefined && token !== undefined && sameSecret(presented, token)) return true;
  if (!isLoopback(request.socket.remoteAddress ?? '')) return false;
  if (forwarding.some((name) => request.headers[name] !== undefined)) return false;
  return isLoopback(hostOf(request));
}

import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { bearerToken, sameSecret } from '../platform/presented-secrets.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const isLoopback = (address: string): boolean =>
  (isIPv4(address) && loopback.check(address, 'ipv4')) ||
  (isIPv6(address) && loopback.check(address, 'ipv6'));

/** The fields in which proxies say for whom they ask. */
const forwarding = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/** The host that was asked for, without its port. */
function hostOf({ headers: { host = '' } }: IncomingMessage): string {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '';
}

/**
 * Whether a caller may see what is inside: on this machine, or with the token as its `Bearer`. What a proxy on this machine asks
 * for is somebody else's: it names them, or hands on the host that they asked for. A page whose name was pointed at loopback
 * hands on that name too.
 */
export function isInsider(request: IncomingMessage, token: string | undefined): boolean {
  const presented = bearerToken(request.headers.authorization);
  if (presented !== undefined && token !== undefined && sameSecret(presented, token)) return true;
  if (!isLoopback(request.socket.remoteAddress ?? '')) return false;
  if (forwarding.some((name) => request.headers[name] !== undefined)) return false;
  const host = hostOf(request);
  return host === 'localhost' || isLoopback(host);
}

import { BlockList, isIPv4, isIPv6 } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether a host, by address or as `localhost`, is this machine and unreachable from others. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  (isIPv4(host) && loopback.check(host, 'ipv4')) ||
  (isIPv6(host) && loopback.check(host, 'ipv6'));

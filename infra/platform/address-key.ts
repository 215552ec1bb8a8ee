import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IPv6 network of this size belongs to one subscriber, who can use any address in it. */
const subscriberBits = 64;

/** Prefix of an IPv4 address on a socket that accepts both versions. */
const mapped = '::ffff:';

/** The key of an address: IPv4 normalised; IPv6 by its network. */
export function addressKey(text: string): string {
  // The usual forms; the parser takes ten times as long.
  const unmapped = text.startsWith(mapped) ? text.slice(mapped.length) : text;
  if (isIPv4(unmapped)) return unmapped;
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/${subscriberBits}`).toString();
}

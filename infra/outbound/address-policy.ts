import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.parse>;
export type AllowedRange = readonly [Address, number];

/**
 * Reads a comma-separated CIDR list, as in `127.0.0.0/8, fd00::/8`; a bare address is a range of one.
 * Throws an `Error` that names the entry it could not read.
 */
export function parseAllowList(text: string): readonly AllowedRange[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseRange);
}

function parseRange(entry: string): AllowedRange {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  if (!entry.includes('/') && isAddress(entry)) {
    const address = ipaddr.parse(entry);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  }
  throw new Error(`"${entry}" is not a CIDR range such as 127.0.0.0/8 or fd00::/8.`);
}

/** Whether the text is an IP address as a resolver or a URL's host gives it: no short, octal or hexadecimal forms. */
export const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);

/**
 * Whether a connection to this address may be made: it is public, or inside an allowed range. Forms of IPv6 that carry an
 * IPv4 address are judged by the address a packet would end at; tunnels with an unknown far end are refused.
 */
export function isReachable(text: string, allowed: readonly AllowedRange[]): boolean {
  return isPublic(embeddedIPv4(ipaddr.parse(text))) || isWithin(text, allowed);
}

/** Whether the address lies inside one of the ranges, whatever else it is. */
export function isWithin(text: string, ranges: readonly AllowedRange[]): boolean {
  const address = embeddedIPv4(ipaddr.parse(text));
  return ranges.some((range) => contains(range, address));
}

/** Whether a connection to this address ends on the machine it comes from. Linux takes the unspecified address for loopback. */
export function isThisMachine(text: string): boolean {
  const address = embeddedIPv4(ipaddr.parse(text));
  if (['loopback', 'unspecified'].includes(address.range())) return true;
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return own.some((each) => ipaddr.parse(each.address).toString() === address.toString());
}

/** The address that a packet to this one would end at, in one spelling. */
export const plainAddress = (text: string): string => embeddedIPv4(ipaddr.parse(text)).toString();

/** Whether this address is ours: of this machine or a private network, where it was opened to be dialled. */
export const isInside = (text: string): boolean => !isReachable(text, []) || isThisMachine(text);

const globalUnicast: AllowedRange = ipaddr.parseCIDR('2000::/3');
const nat64: AllowedRange = ipaddr.parseCIDR('64:ff9b::/96');

function isPublic(address: Address): boolean {
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || contains(globalUnicast, address));
}

function contains([network, bits]: AllowedRange, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}

/** `::ffff:a.b.c.d`, `::a.b.c.d` and NAT64's `64:ff9b::a.b.c.d` end at a.b.c.d. `::` and `::1` are addresses of their own. */
function embeddedIPv4(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address;
  const bytes = address.toByteArray();
  const leading = bytes.slice(0, 12);
  const compatible = leading.every((byte) => byte === 0) && bytes.slice(12, 15).some((byte) => byte !== 0);
  if (address.isIPv4MappedAddress() || compatible || contains(nat64, address)) {
    return ipaddr.fromByteArray(bytes.slice(12));
  }
  return address;
}

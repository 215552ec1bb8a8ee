import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.parse>;
export type AllowedRange = readonly [Address, number];

/**
 * Parses a comma-separated CIDR list, such as `127.0.0.0/8, fd00::/8`; a bare address is a range of one. Throws an `Error` that
 * names an invalid entry.
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

/**
 * Whether the text is an IP address in a resolver's or a URL's form, not in short, octal or hexadecimal form. Node decides about
 * names, for which `ipaddr.js` throws and catches errors: 20 µs of a request.
 */
export const isAddress = (text: string): boolean =>
  isIP(text) !== 0 && (ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text));

/**
 * Whether this address may be connected to: it is public, or in an allowed range. An IPv6 address with an embedded IPv4 address
 * is checked by the latter; tunnels with an unknown end are refused.
 */
export function isReachable(text: string, allowed: readonly AllowedRange[]): boolean {
  return isPublic(embeddedIPv4(ipaddr.parse(text))) || isWithin(text, allowed);
}

/** Whether the address is in one of the ranges. */
export function isWithin(text: string, ranges: readonly AllowedRange[]): boolean {
  const address = embeddedIPv4(ipaddr.parse(text));
  return ranges.some((range) => contains(range, address));
}

/** Whether a connection to this address ends on its own machine. Linux treats the unspecified address as loopback. */
export const isThisMachine = (text: string): boolean => anyIsThisMachine([text]);

/** Whether one of the addresses is of this machine, whose interfaces are read once. */
export function anyIsThisMachine(texts: readonly string[]): boolean {
  const addresses = texts.map((text) => embeddedIPv4(ipaddr.parse(text)));
  if (addresses.some((address) => ['loopback', 'unspecified'].includes(address.range()))) return true;
  const plain = new Set(addresses.map((address) => address.toString()));
  const own = Object.values(networkInterfaces()).flatMap((found = []) => found);
  return own.some(({ address }) => plain.has(ipaddr.parse(address).toString()));
}

/** The address where a packet to this one ends, normalised. */
export const plainAddress = (text: string): string => embeddedIPv4(ipaddr.parse(text)).toString();

/** Whether one of these addresses, which are allowed, belongs to this machine or a private network. */
export const anyIsInside = (texts: readonly string[]): boolean =>
  texts.some((text) => !isReachable(text, [])) || anyIsThisMachine(texts);

const globalUnicast: AllowedRange = ipaddr.parseCIDR('2000::/3');
const nat64: AllowedRange = ipaddr.parseCIDR('64:ff9b::/96');

function isPublic(address: Address): boolean {
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || contains(globalUnicast, address));
}

function contains([network, bits]: AllowedRange, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}

/** `::ffff:a.b.c.d`, `::a.b.c.d` and NAT64's `64:ff9b::a.b.c.d` end at a.b.c.d. `::` and `::1` are separate addresses. */
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

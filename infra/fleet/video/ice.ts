import { isIP } from 'node:net';
import { isReachable, type AllowedRange } from '../../outbound/address-policy.ts';

export interface IceOptions {
  /** The addresses that people reach this node by; those of its interfaces where there are none. */
  readonly addresses: readonly string[];
  /** Of UDP, and of TCP for networks without it. */
  readonly ports: readonly [number, number];
  /** What participants are told of servers that relay, as `RTCIceServer` has it. */
  readonly servers: readonly IceServer[];
  /** Addresses that are not public and may be named by participants all the same. */
  readonly peerAllow: readonly AllowedRange[];
}

export interface IceServer {
  readonly urls: readonly string[];
  readonly username?: string;
  readonly credential?: string;
}

/** The fields of a candidate (RFC 8839, 5.1). */
function fieldsOf(candidate: string) {
  const fields = candidate.replace(/^(a=)?candidate:/, '').split(' ');
  return { transport: fields[2]?.toLowerCase(), address: fields[4] ?? '', fields };
}

/**
 * Whether the node may send to what a participant names as its address. Names are not resolved, and no connection is made: where
 * packets of a participant really come from is known once they have come.
 */
export function isNamable(candidate: string, { peerAllow }: Pick<IceOptions, 'peerAllow'>): boolean {
  const { transport, address } = fieldsOf(candidate);
  return transport === 'udp' && isIP(address) !== 0 && isReachable(address, peerAllow);
}

/**
 * A participant's description without the candidates that it may not name. That there are no others is left out too: it may reach the node
 * from an address that it did not name, which is waited for.
 */
export const namable = (sdp: string, options: Pick<IceOptions, 'peerAllow'>): string =>
  linesOf(sdp, (line) => {
    if (line === 'a=end-of-candidates') return [];
    return line.startsWith('a=candidate:') && !isNamable(line, options) ? [] : [line];
  });

/**
 * The node's description with the addresses that people reach it by in the place of its own: the same ports, behind a translation of
 * addresses too.
 */
export function reachable(sdp: string, { addresses }: Pick<IceOptions, 'addresses'>): string {
  if (addresses.length === 0) return sdp;
  const seen = new Set<string>();
  return linesOf(sdp, (line) => {
    if (!line.startsWith('a=candidate:')) return [line];
    const { address, transport, fields } = fieldsOf(line);
    const own = addresses.filter((each) => isIP(each) === isIP(address));
    // One port for each kind of address and transport is enough: whatever it is reached by, it ends there.
    const kind = `${transport} ${fields[7]} ${fields.slice(8).join(' ')} ${isIP(address)}`;
    if (addresses.includes(address)) return [line];
    if (seen.has(kind) || own.some((each) => sdp.includes(` ${each} `))) return [];
    seen.add(kind);
    return own.map(
      (each, index) => `a=candidate:${fields.with(4, each).with(0, `${fields[0]}${index}`).join(' ')}`,
    );
  });
}

const linesOf = (sdp: string, change: (line: string) => readonly string[]): string =>
  sdp.split('\r\n').flatMap(change).join('\r\n');

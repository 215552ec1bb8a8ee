import { isIP } from 'node:net';
import { isReachable, type AllowedRange } from '../../outbound/address-policy.ts';
import { bounds } from './bounds.ts';
import { changed } from './descriptions.ts';

export interface IceOptions {
  /** Public addresses of this node; if empty, those of its interfaces. */
  readonly addresses: readonly string[];
  /** Ports of UDP and, for networks that block it, of TCP. */
  readonly ports: readonly [number, number];
  /** Relay servers for participants, as in `RTCIceServer`. */
  readonly servers: readonly IceServer[];
  /** Private addresses that participants may name as candidates. */
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
 * Whether the node may send to a candidate address of a participant. Names are not resolved, and no TCP connection is
 * opened. The real source of its packets is known once they arrive.
 */
export function isNamable(candidate: string, { peerAllow }: Pick<IceOptions, 'peerAllow'>): boolean {
  const { transport, address } = fieldsOf(candidate);
  return transport === 'udp' && isIP(address) !== 0 && isReachable(address, peerAllow);
}

/** Lines about media that a participant would publish, of which the node takes none. `werift` keeps a track for each name. */
const aboutPublished = /^a=(?:rid|simulcast|ssrc|ssrc-group):/;

/**
 * A participant's description without disallowed candidates, and without those after the first `bounds.ports.named`.
 * `end-of-candidates` is removed too, because packets may arrive from an address that the description does not name, and so is what
 * describes published media.
 */
export function namable(sdp: string, options: Pick<IceOptions, 'peerAllow'>): string {
  let named = 0;
  return changed(sdp, (line) => {
    if (line === 'a=end-of-candidates' || aboutPublished.test(line)) return [];
    if (!line.startsWith('a=candidate:')) return [line];
    return isNamable(line, options) && (named += 1) <= bounds.ports.named ? [line] : [];
  });
}

/**
 * The node's description with its public addresses instead of its own, and the same ports, so that it works behind
 * address translation.
 */
export function reachable(sdp: string, { addresses }: Pick<IceOptions, 'addresses'>): string {
  if (addresses.length === 0) return sdp;
  const seen = new Set<string>();
  return changed(sdp, (line) => {
    if (!line.startsWith('a=candidate:')) return [line];
    const { address, transport, fields } = fieldsOf(line);
    const own = addresses.filter((each) => isIP(each) === isIP(address));
    // One port for each address family and transport is enough: all public addresses lead to it.
    const kind = `${transport} ${fields[7]} ${fields.slice(8).join(' ')} ${isIP(address)}`;
    if (addresses.includes(address)) return [line];
    if (seen.has(kind) || own.some((each) => sdp.includes(` ${each} `))) return [];
    seen.add(kind);
    return own.map(
      (each, index) => `a=candidate:${fields.with(4, each).with(0, `${fields[0]}${index}`).join(' ')}`,
    );
  });
}

import type { RTCPeerConnection } from 'werift';
import { bounds, createAllowance } from './bounds.ts';

/** Types of RTCP packets that are used (RFC 3550, 12.1; RFC 4585, 6.1): reports, lists of lost packets, requests of pictures and bitrates. */
const [receiverReport, transportFeedback, pictureFeedback] = [201, 205, 206];
/** The kind of feedback that is a list of lost packets, in the last five bits of the first byte. */
const listOfLost = 1;
/** Bytes of a packet's head; of a list before its entries; and of an entry, which names up to 17 packets. */
const [headBytes, beforeEntries, entryBytes] = [4, 12, 4];
const limits = bounds.reports;

function* packetsOf(compound: Buffer): Generator<Buffer> {
  for (let at = 0; at + headBytes <= compound.length;) {
    const end = at + headBytes + 4 * compound.readUInt16BE(at + 2);
    if (end > compound.length) return;
    yield compound.subarray(at, end);
    at = end;
  }
}

/**
 * Whether a packet is used, and no larger than one about the only stream that is sent. `werift` reads most packets to the end of the
 * datagram, and passes a report on once for each stream that it names.
 */
function isUsed(packet: Buffer): boolean {
  const [head = 0, type] = packet;
  if (packet.length > limits.usedBytes) return false;
  return type === pictureFeedback || (type === receiverReport && (head & 0x1f) <= limits.streams);
}

/**
 * Returns a function that reduces decrypted reports to what is used of them, with one list of lost packets at most. It comes last, because
 * `werift` reads a list to the end of the datagram. It sends each packet as often as it is called lost.
 */
export function reportsFor(): (compound: Buffer) => Buffer {
  const mayResend = createAllowance(limits.entries);
  return (compound) => {
    const packets = [...packetsOf(compound)].slice(0, limits.packets);
    const used = packets.filter(isUsed).slice(0, limits.used);
    const lost = packets
      .find(([head = 0, type]) => type === transportFeedback && (head & 0x1f) === listOfLost)
      ?.subarray(0, beforeEntries + entryBytes * limits.mostEntries);
    const entries = Math.max(0, ((lost?.length ?? 0) - beforeEntries) / entryBytes);
    return Buffer.concat(lost && mayResend(entries) ? [...used, lost] : used);
  };
}

/** Private fields of a transport in `werift`. */
interface Transport {
  readonly srtcp?: { decrypt(data: Buffer): Buffer };
  startSrtp(): void;
}

const bounded = new WeakSet<Transport>();

/** Limits what a participant's reports cost. Must be called before the connection is up, and again after each description. */
export function boundReports({ dtlsTransports }: Pick<RTCPeerConnection, 'dtlsTransports'>): void {
  for (const transport of dtlsTransports as unknown as readonly Transport[]) {
    if (bounded.has(transport)) continue;
    bounded.add(transport);
    const start = transport.startSrtp.bind(transport);
    transport.startSrtp = () => {
      start();
      const { srtcp } = transport;
      if (srtcp === undefined) return;
      const decrypt = srtcp.decrypt.bind(srtcp);
      const reduced = reportsFor();
      srtcp.decrypt = (data) => reduced(decrypt(data));
    };
  }
}

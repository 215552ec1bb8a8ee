/** Bytes of a packet's header, and of the head of a chunk or parameter: two others, then its length in two (RFC 9260, 3). */
const [headerBytes, headBytes] = [12, 4];
/** By type of chunk: bytes of the fixed fields in front of its parameters. Other types have none. */
const beforeParameters: Readonly<Record<number, number>> = { 1: 16, 2: 16, 4: 0, 5: 0, 6: 0, 9: 0, 130: 0 };

/**
 * Whether the chunks of an SCTP packet, and their parameters, have a length that includes their heads. `werift` would never finish reading
 * a shorter one.
 */
export const hasLengths = (packet: Buffer): boolean =>
  isSequence(packet, headerBytes, packet.length, (at, end) => {
    const fixed = beforeParameters[packet[at] ?? 0];
    return fixed === undefined || isSequence(packet, at + headBytes + fixed, end);
  });

function isSequence(
  bytes: Buffer,
  from: number,
  end: number,
  isFine: (at: number, end: number) => boolean = () => true,
): boolean {
  for (let at = from; at + headBytes <= end;) {
    const length = bytes.readUInt16BE(at + 2);
    if (length < headBytes || !isFine(at, Math.min(at + length, end))) return false;
    at += Math.ceil(length / 4) * 4;
  }
  return true;
}

/** Bytes of the fixed part of an RTP packet's header (RFC 3550, 5.1). */
const rtpHead = 12;

/** Whether it is an RTP packet without extensions and contributing sources, as the encoder writes them. */
export const isRtp = (packet: Buffer): boolean => packet.length > rtpHead && packet[0] === 0x80;

/** Whether it is the last packet of its frame, by the marker (RFC 7741, 4.1). */
export const endsFrame = (packet: Buffer): boolean => ((packet[1] ?? 0) & 0x80) !== 0;

/** Whether a key frame begins in this packet (RFC 7741, 4.2 and 4.3). */
export function beginsKeyFrame(packet: Buffer): boolean {
  let at = rtpHead;
  const descriptor = packet[at++] ?? 0;
  const beginsPartition = (descriptor & 0x10) !== 0 && (descriptor & 0x07) === 0;
  if (!beginsPartition) return false;
  if ((descriptor & 0x80) !== 0) at += extensionBytes(packet, at);
  return at < packet.length && ((packet[at] ?? 1) & 0x01) === 0;
}

/** Length of the descriptor's extension at this offset, in bytes: the picture number in one or two, and flagged fields. */
function extensionBytes(packet: Buffer, at: number): number {
  const flags = packet[at] ?? 0;
  const isLong = ((packet[at + 1] ?? 0) & 0x80) !== 0;
  const number = (flags & 0x80) === 0 ? 0 : isLong ? 2 : 1;
  return 1 + number + ((flags & 0x40) === 0 ? 0 : 1) + ((flags & 0x30) === 0 ? 0 : 1);
}

/** Ticks per second of the video clock (RFC 7741, 4.1). */
const clockRate = 90_000;

/**
 * Numbers packets as one stream across restarts of the encoder. Frames get the time of their arrival: an encoder that pauses on a still
 * page leaves no gap in its own times, and receivers would see that as a growing delay.
 */
export function createRestamp(now: () => number) {
  let sequence = 0;
  let before: number | undefined;
  let stamp = 0;
  return (packet: Buffer): Buffer => {
    const time = packet.readUInt32BE(4);
    if (time !== before) stamp = Math.round((now() / 1_000) * clockRate) % 2 ** 32;
    before = time;
    sequence = (sequence + 1) % 2 ** 16;
    packet.writeUInt16BE(sequence, 2);
    packet.writeUInt32BE(stamp, 4);
    return packet;
  };
}

/** Ticks between two frames of a backlog: a millisecond. */
const step = clockRate / 1_000;

/**
 * Keeps the packets since the last key frame for a receiver that cannot take any yet, so that it has a picture at once. Keeps none if there
 * are more than `most`.
 */
export function createBacklog(most: number) {
  let packets: Buffer[] = [];
  return {
    unit: (packet: Buffer): void => {
      if (beginsKeyFrame(packet)) packets = [];
      else if (packets.length === 0) return;
      packets = packets.length < most ? [...packets, packet] : [];
    },
    /**
     * Returns the packets and forgets them. Their frames get times within the last few milliseconds. A receiver plays
     * frames at the intervals of their times, so with their real times it would lag behind from then on.
     */
    take: (): readonly Buffer[] => {
      const taken = packets;
      packets = [];
      const times = [...new Set(taken.map((packet) => packet.readUInt32BE(4)))];
      const last = times.at(-1) ?? 0;
      return taken.map((packet) => {
        const later = times.length - 1 - times.indexOf(packet.readUInt32BE(4));
        const copy = Buffer.from(packet);
        copy.writeUInt32BE((last - later * step + 2 ** 32) % 2 ** 32, 4);
        return copy;
      });
    },
  };
}

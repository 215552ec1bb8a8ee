import type { RTCPeerConnection } from 'werift';

/** Private fields of a participant's data. */
interface Sctp {
  readonly channel: number;
  readonly tag: number;
  /** Sends a packet as it is. */
  raw(packet: Buffer): Promise<void>;
  /** Sends a message of this type on a channel. */
  send(channel: number, type: number, data: Buffer): Promise<void>;
}

export function sctpOf({ sctpTransport }: RTCPeerConnection): Sctp {
  const transport = sctpTransport as unknown as {
    readonly dataChannels: Readonly<Record<string, unknown>>;
    readonly dtlsTransport: { sendData(packet: Buffer): Promise<void> };
    readonly sctp: {
      readonly remoteVerificationTag: number;
      send(channel: number, type: number, data: Buffer, how: object): Promise<void>;
    };
  };
  return {
    channel: Number(Object.keys(transport.dataChannels)[0]),
    tag: transport.sctp.remoteVerificationTag,
    raw: (packet) => transport.dtlsTransport.sendData(packet),
    send: (channel, type, data) => transport.sctp.send(channel, type, data, { ordered: true }),
  };
}

/** CRC-32C (RFC 9260, appendix A). */
function checksum(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ ((sum & 1) === 1 ? 0x82f63b78 : 0);
  }
  return ~sum >>> 0;
}

/** A packet with this chunk, given by its bytes. */
function packetOf(tag: number, chunk: readonly number[]): Buffer {
  const packet = Buffer.concat([Buffer.alloc(12), Buffer.from(chunk)]);
  packet.writeUInt16BE(5_000, 0);
  packet.writeUInt16BE(5_000, 2);
  packet.writeUInt32BE(tag, 4);
  packet.writeUInt32LE(checksum(packet), 8);
  return packet;
}

/** Data that a participant can send, and that cannot be read. */
export const unreadable: Readonly<Record<string, (sctp: Sctp) => Promise<void>>> = {
  'a packet that is too short': ({ raw }) => raw(Buffer.alloc(3)),
  'a packet with another checksum': ({ raw }) => raw(Buffer.alloc(40)),
  'an unknown chunk': ({ raw, tag }) => raw(packetOf(tag, [99, 0, 0, 4])),
  'a chunk without a length': ({ raw, tag }) => raw(packetOf(tag, [11, 0, 0, 0])),
  'a parameter without a length': ({ raw, tag }) => raw(packetOf(tag, [4, 0, 0, 8, 0, 1, 0, 0])),
  'a message of an unknown type': ({ send, channel }) => send(channel, 99, Buffer.from('x')),
  'an answer for no channel': ({ send }) => send(41, 50, Buffer.from([2])),
};

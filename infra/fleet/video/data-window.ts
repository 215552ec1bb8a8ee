import type { RTCPeerConnection } from 'werift';

interface Chunk {
  readonly tsn: number;
  readonly streamId: number;
}

/** What `werift` has of an SCTP association (RFC 9260) and keeps to itself. */
interface Association {
  advertisedRwnd: number;
  readonly lastReceivedTsn: number;
  readonly sackMisOrdered: ReadonlySet<number>;
  /** Chunks of messages that are not whole yet. */
  readonly inboundStreams: Readonly<Record<number, { readonly reassembly: readonly unknown[] } | undefined>>;
  receiveDataChunk(chunk: Chunk): void;
}

/** Bytes of messages that a participant may have on their way to the node. One message has 64 KiB at most. */
const windowBytes = 128 * 1024;
/** Chunks that may have come before one that is missing. */
const mostEarly = 64;
/** Chunks of one channel whose messages are not whole: the window has about 110 as libraries cut them. */
const mostHeld = 256;
/** Channels: those of LiveKit's libraries are the first few. */
const mostChannels = 64;

/**
 * Bounds what a participant's data may cost. `werift` takes a mebibyte, and at each chunk sorts all that came before a missing one, which under
 * a flood are thousands: others wait for that for seconds. A chunk that comes too early has not come, and is sent again. `werift` says how much it
 * takes, but takes more than that, so a message without an end would fill the memory: `exceeded` is called for that, and for more channels
 * than a library has.
 */
export function boundData(
  { sctpTransport }: Pick<RTCPeerConnection, 'sctpTransport'>,
  exceeded: () => void,
): void {
  const association = sctpTransport?.sctp as unknown as Association | undefined;
  if (association === undefined) return;
  const take = association.receiveDataChunk.bind(association);
  association.advertisedRwnd = windowBytes;
  const isTooMuch = (streamId: number): boolean => {
    const held = association.inboundStreams[streamId]?.reassembly.length ?? 0;
    // The next chunk is taken beyond the window too: those that came early may fill it.
    return streamId >= mostChannels || held >= mostHeld || association.advertisedRwnd < -windowBytes;
  };
  association.receiveDataChunk = (chunk) => {
    if (isTooMuch(chunk.streamId)) return exceeded();
    const isNext = chunk.tsn === (association.lastReceivedTsn + 1) % 2 ** 32;
    if (isNext || association.sackMisOrdered.size < mostEarly) take(chunk);
  };
}

import type { RTCPeerConnection } from 'werift';

/** What `werift` has of an SCTP association (RFC 9260) and keeps to itself. */
interface Association {
  advertisedRwnd: number;
  readonly lastReceivedTsn: number;
  readonly sackMisOrdered: ReadonlySet<number>;
  receiveDataChunk(chunk: { readonly tsn: number }): void;
}

/** Bytes of messages that a participant may have on their way to the node. One message has 64 KiB at most. */
const windowBytes = 128 * 1024;
/** Chunks that may have come before one that is missing. */
const mostEarly = 64;

/**
 * Bounds what a participant's data may cost. `werift` takes a mebibyte, and at each chunk sorts all that came before a missing one, which under
 * a flood are thousands: others wait for that for seconds. A chunk that is not taken has not come, and is sent again.
 */
export function boundData({ sctpTransport }: Pick<RTCPeerConnection, 'sctpTransport'>): void {
  const association = sctpTransport?.sctp as unknown as Association | undefined;
  if (association === undefined) return;
  const take = association.receiveDataChunk.bind(association);
  association.advertisedRwnd = windowBytes;
  association.receiveDataChunk = (chunk) => {
    const isNext = chunk.tsn === (association.lastReceivedTsn + 1) % 2 ** 32;
    if (isNext || association.sackMisOrdered.size < mostEarly) take(chunk);
  };
}

import type { RTCPeerConnection } from 'werift';
import { hasLengths } from './data-packets.ts';

interface Chunk {
  readonly tsn: number;
  readonly streamId: number;
}

/** Private fields of an SCTP association (RFC 9260) in `werift`. */
interface Association {
  advertisedRwnd: number;
  readonly lastReceivedTsn: number;
  readonly sackMisOrdered: ReadonlySet<number>;
  /** Chunks of incomplete messages. */
  readonly inboundStreams: Readonly<Record<number, { readonly reassembly: readonly unknown[] } | undefined>>;
  receiveDataChunk(chunk: Chunk): void;
  receiveSackChunk(chunk: { readonly gaps: readonly (readonly [from: number, to: number])[] }): Promise<void>;
  handleData(packet: Buffer): Promise<void>;
  receive(...message: Message): void;
}

type Message = readonly [streamId: number, type: number, data: Buffer];

/** Private fields of its transport. */
interface Transport {
  datachannelReceive(...message: Message): Promise<void>;
}

/** Receive window of a participant in bytes. A message has at most 64 KiB. */
const windowBytes = 128 * 1024;
/** Maximal number of chunks received ahead of a missing one. */
const mostEarly = 64;
/** Maximal number of one channel's chunks of incomplete messages: libraries fill the window with about 110. */
const mostHeld = 256;
/** Maximal number of chunks between those that an acknowledgement names: `werift` lists each. 1 MiB of data has about 900. */
const mostGap = 4_096;
/** Maximal number of channels: LiveKit's libraries use the first few. */
const mostChannels = 64;

const bounded = new WeakSet<Association>();

/**
 * Bounds the cost of a participant's data, and ignores what is unreadable. Must be called again after each description, which may have led to
 * another association. `werift` has a window of 1 MiB, and at each chunk sorts all that arrived ahead of a missing one: in a flood, thousands,
 * which delays other participants by seconds. A chunk that arrives too early is ignored, and sent again. `werift` also accepts more than the
 * window that it announces, so a message without an end would fill the memory: `exceeded` is called for that, and for more channels than a
 * library uses.
 */
export function boundData(
  { sctpTransport }: Pick<RTCPeerConnection, 'sctpTransport'>,
  exceeded: () => void,
): void {
  const association = sctpTransport?.sctp as unknown as Association | undefined;
  if (association === undefined || bounded.has(association)) return;
  bounded.add(association);
  ignoreUnreadable(association, sctpTransport as unknown as Transport);
  const take = association.receiveDataChunk.bind(association);
  association.advertisedRwnd = windowBytes;
  const isTooMuch = (streamId: number): boolean => {
    const held = association.inboundStreams[streamId]?.reassembly.length ?? 0;
    // The next chunk is accepted even beyond the window, which early chunks may have filled.
    return streamId >= mostChannels || held >= mostHeld || association.advertisedRwnd < -windowBytes;
  };
  association.receiveDataChunk = (chunk) => {
    if (isTooMuch(chunk.streamId)) return exceeded();
    const isNext = chunk.tsn === (association.lastReceivedTsn + 1) % 2 ** 32;
    if (isNext || association.sackMisOrdered.size < mostEarly) take(chunk);
  };
}

const nothing = (): void => undefined;

/**
 * Ignores what `werift` cannot read, such as a packet with another checksum (RFC 9260, 6.8), an unknown type of chunk or message, or an
 * answer for a channel that does not exist. `werift` rejects a promise then that nobody handles, which would end the process.
 */
function ignoreUnreadable(association: Association, transport: Transport): void {
  const read = association.handleData.bind(association);
  association.handleData = async (packet) => {
    if (hasLengths(packet)) await read(packet).catch(nothing);
  };
  const acknowledge = association.receiveSackChunk.bind(association);
  association.receiveSackChunk = async (chunk) => {
    const between = chunk.gaps.reduce((sum, [from, to]) => sum + Math.max(0, to - from), 0);
    if (between <= mostGap) await acknowledge(chunk);
  };
  association.receive = (...message) => void transport.datachannelReceive(...message).catch(nothing);
}

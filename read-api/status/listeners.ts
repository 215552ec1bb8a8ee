import type { Readable } from 'node:stream';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { addressKey } from '../../infra/platform/address-key.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { EventStream, OpenStreams } from '../engine/event-streams.ts';

/** Buffered bytes from which a listener is disconnected at the next change. */
const longestBacklog = 256 * 1024;
/** Maximum streams of one process. */
const mostStreams = 10_000;

/** The client of a stream. */
export interface Listener {
  readonly lastEventId: string | undefined;
  readonly openedAt: Date;
}

export interface ListenersOptions {
  readonly clock: Clock;
  readonly heartbeatMs?: number;
  /** Maximum concurrent streams per address; an IPv6 network of one subscriber is one. */
  readonly streamsPerAddress?: number;
}

/** The open streams of the public status, limited per address. */
export class Listeners {
  readonly #options: ListenersOptions;
  readonly #streams = new OpenStreams<EventStream, Listener>();
  /** Number of open streams by the key of the client's address. */
  readonly #addresses = new Map<string, number>();

  constructor(options: ListenersOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#streams.count;
  }

  /** Opens a stream that begins with the frames of `first`; null at the limit for the address or the process. */
  open(
    from: string,
    lastEventId: string | undefined,
    first: (listener: Listener) => Buffer,
  ): Readable | null {
    const { clock, heartbeatMs, streamsPerAddress = 50 } = this.#options;
    const address = addressKey(from);
    const ofAddress = this.#addresses.get(address) ?? 0;
    if (this.count >= mostStreams || ofAddress >= streamsPerAddress) return null;
    this.#count(address, 1);
    const listener = { lastEventId, openedAt: clock.now() };
    const make = (onClose: () => void) => {
      const stream = new EventStream({ clock, heartbeatMs, onClose }, longestBacklog);
      stream.send(first(listener));
      return stream;
    };
    return this.#streams.open(listener, make, () => this.#count(address, -1));
  }

  /** Sends each client its frame; nothing if that is undefined. */
  send(frameFor: (listener: Listener) => Buffer | undefined): void {
    this.#streams.send(frameFor);
  }

  /** Ends every stream. */
  end(): void {
    this.#streams.end();
  }

  #count(address: string, change: number): void {
    const count = (this.#addresses.get(address) ?? 0) + change;
    if (count === 0) this.#addresses.delete(address);
    else this.#addresses.set(address, count);
  }
}

export const isEventId = (id: string | undefined): id is string => id !== undefined && /^\d{1,20}$/.test(id);

/**
 * Whether a client has a change already, from another process. Only one recorded before it connected: in a log that was restored
 * from an older copy, later changes may have ids up to the client's.
 */
export const hasSeen = (
  { lastEventId, openedAt }: Listener,
  { position, created }: Pick<RecordedEvent, 'position' | 'created'>,
): boolean => isEventId(lastEventId) && position.commit <= BigInt(lastEventId) && created <= openedAt;

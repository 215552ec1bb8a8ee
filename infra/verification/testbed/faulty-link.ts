import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export type Direction = 'requests' | 'answers';
export type Held = Direction | 'both';

/** The network between two sockets, for all connections of one proxy. */
export interface FaultyLink {
  /** Forwards bytes, and their end, until there are no more; rejects when either side breaks. */
  carry(from: Socket, to: Socket, direction: Direction): Promise<void>;
  hold(held?: Held): void;
  delay(ms: number): void;
  throttle(bytesPerSecond: number): void;
  heal(): void;
}

interface Arrived {
  readonly bytes: Buffer;
  /** By `performance.now()`. */
  readonly at: number;
}

/** Chunks in flight in one direction before the sender has to wait. */
const UNDER_WAY = 256;
/** Interval in milliseconds at which a throttled connection gets a piece. */
const DRIP_MS = 20;

export function createFaultyLink(): FaultyLink {
  let held: Held | undefined;
  let delayMs = 0;
  let bytesPerSecond = Infinity;
  const changes = new EventEmitter().setMaxListeners(0);

  const passable = async (direction: Direction): Promise<void> => {
    while (held === direction || held === 'both') await once(changes, 'healed');
  };
  const release = (direction: Direction) =>
    async function* (arrivals: AsyncIterable<Arrived>): AsyncGenerator<Buffer> {
      for await (const { bytes, at } of arrivals) {
        const wait = at + delayMs - performance.now();
        // Timers drop the fraction of a millisecond, and would let the bytes through early.
        if (wait > 0) await sleep(Math.ceil(wait));
        await passable(direction);
        yield* paced(bytes);
      }
      await passable(direction);
    };

  async function* paced(bytes: Buffer): AsyncGenerator<Buffer> {
    for (let sent = 0; sent < bytes.length;) {
      const piece = Math.min(bytes.length - sent, Math.max(1, Math.round((bytesPerSecond * DRIP_MS) / 1000)));
      yield bytes.subarray(sent, sent + piece);
      sent += piece;
      if (bytesPerSecond < Infinity) await sleep((piece / bytesPerSecond) * 1000);
    }
  }

  return {
    carry: (from, to, direction) => pipeline(from, stamped(), release(direction), to),
    hold: (which = 'both') => (held = which),
    delay: (ms) => (delayMs = ms),
    throttle: (rate) => (bytesPerSecond = rate),
    heal: () => {
      [held, delayMs, bytesPerSecond] = [undefined, 0, Infinity];
      changes.emit('healed');
    },
  };
}

/** Records when each chunk arrived, so that delays of chunks do not add up. */
const stamped = (): Transform =>
  new Transform({
    readableObjectMode: true,
    readableHighWaterMark: UNDER_WAY,
    transform: (bytes: Buffer, _encoding, done) => {
      done(null, { bytes, at: performance.now() } satisfies Arrived);
    },
  });

import type {
  RecordedEvent,
  SubscribeOptions,
  Subscription,
  SubscriptionMessage,
} from '../../event-store/client/types.ts';
import type { Life } from './life.ts';
import type { Schedule } from './schedule.ts';

interface Source {
  readonly schedule: Schedule;
  readonly life: Life;
  readonly log: readonly RecordedEvent[];
  /** Resolves when the log has grown. */
  readonly arrival: () => Promise<void>;
}

/** In log order, at least once: after a break some events are delivered again. */
export class FakeSubscription implements Subscription {
  readonly #source: Source;
  readonly #prefixes: readonly string[];
  #next: number;
  #isClosed = false;
  #isLive = false;
  #close: () => void = () => {};
  readonly #closed: Promise<void>;

  constructor(source: Source, { from, prefixes = [''] }: SubscribeOptions) {
    this.#source = source;
    this.#prefixes = prefixes;
    this.#closed = new Promise((resolve) => (this.#close = resolve));
    const { log } = source;
    if (from === 'start') this.#next = 0;
    else if (from === 'end') this.#next = log.length;
    else this.#next = log.findLastIndex(({ position }) => position.commit <= from.commit) + 1;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SubscriptionMessage> {
    while (!this.#isClosed) {
      const event = this.#source.log[this.#next];
      if (event !== undefined) {
        this.#isLive = false;
        if (await this.#deliver(event)) yield { kind: 'event', event };
      } else if (this.#isLive) {
        await Promise.race([this.#source.arrival(), this.#closed]);
      } else {
        this.#isLive = true;
        yield { kind: 'caught_up' };
      }
    }
  }

  async #deliver({ stream, type }: RecordedEvent): Promise<boolean> {
    const { schedule, life } = this.#source;
    this.#next += 1;
    if (!this.#prefixes.some((prefix) => stream.startsWith(prefix))) return false;
    await schedule.turn(life, `deliver ${type}`);
    const fault = schedule.fault(life, 'subscription', 'delivers the last again');
    if (fault !== 'none') this.#next = Math.max(0, this.#next - 3);
    return !this.#isClosed;
  }
}

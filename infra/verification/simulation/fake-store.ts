import type {
  Appended,
  EventStore,
  EventToAppend,
  ExpectedRevision,
  ReadStreamOptions,
  RecordedEvent,
  SubscribeOptions,
  Subscription,
} from '../../event-store/client/types.ts';
import { EventStoreUnavailable, WrongExpectedRevision } from '../../event-store/client/types.ts';
import { FakeSubscription } from './fake-subscription.ts';
import type { Life } from './life.ts';
import type { Schedule } from './schedule.ts';

/** Time limit of an append in milliseconds: the deadline of the real client. */
const deadlineMs = 10_000;

/**
 * An event store in memory whose answers wait for their turn; requests and answers may be lost or duplicated. It
 * guarantees what the real one does: revisions, idempotent event ids, one log order.
 */
export class FakeStore {
  readonly log: RecordedEvent[] = [];
  /** When each event was stored, by its id, in the schedule's time. */
  readonly storedAt = new Map<string, number>();
  readonly #streams = new Map<string, RecordedEvent[]>();
  readonly #schedule: Schedule;
  #arrivals: (() => void)[] = [];

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  stream(name: string): readonly RecordedEvent[] {
    return this.#streams.get(name) ?? [];
  }

  /** The store as a process sees it. */
  connect(life: Life): EventStore {
    return {
      append: (stream, expected, events) => this.#append(life, stream, expected, events),
      readStream: (stream, options) => this.#readStream(life, stream, options),
      readAll: () => this.#readAll(life),
      subscribe: (options) => this.#subscribe(life, options),
      head: () => Promise.resolve(this.log.at(-1)?.position),
      setStreamMetadata: () => Promise.resolve(),
      ping: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
  }

  async #append(
    life: Life,
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<Appended> {
    const askedAt = this.#schedule.now;
    const what = `append ${events.map(({ type }) => type).join(', ')} to ${stream}`;
    await this.#schedule.turn(life, what);
    const fault = this.#schedule.fault(life, what, 'lost before', 'lost after', 'answer lost, sent again');
    if (fault === 'lost before' || this.#schedule.now - askedAt > deadlineMs) {
      throw new EventStoreUnavailable(`${what}: not sent`);
    }
    const appended = this.commit(stream, expected, events);
    await this.#schedule.turn(life, `${what}: answered`);
    if (fault === 'lost after') throw new EventStoreUnavailable(`${what}: the answer was lost`);
    return fault === 'none' ? appended : this.commit(stream, expected, events);
  }

  /** An append whose ids are already stored at that revision is acknowledged again, without a second copy. */
  commit(stream: string, expected: ExpectedRevision, events: readonly EventToAppend[]): Appended {
    const stored = this.#streams.get(stream) ?? [];
    const from = expected === 'any' ? stored.length : expected === 'no_stream' ? 0 : Number(expected) + 1;
    if (from !== stored.length) {
      const last = stored[from + events.length - 1];
      const isSame = events.every(({ id }, index) => stored[from + index]?.id === id);
      if (isSame && last !== undefined) return { revision: last.revision, position: last.position };
      throw new WrongExpectedRevision(stream, BigInt(stored.length - 1));
    }
    const recorded = events.map((event, index) => this.#record(stream, from + index, event));
    this.#streams.set(stream, [...stored, ...recorded]);
    const last = recorded.at(-1);
    if (last === undefined) throw new Error('An append without events.');
    for (const arrived of this.#arrivals.splice(0)) arrived();
    return { revision: last.revision, position: last.position };
  }

  /** Through JSON, as the store's clients get it. */
  #record(stream: string, revision: number, { id, type, data, metadata }: EventToAppend): RecordedEvent {
    const place = BigInt(this.log.length) * 100n;
    const event: RecordedEvent = {
      id,
      type,
      stream,
      category: stream.slice(0, stream.indexOf('-')),
      revision: BigInt(revision),
      position: { commit: place, prepare: place },
      data: JSON.parse(JSON.stringify(data)) as unknown,
      metadata,
      created: new Date(metadata.occurred_at),
    };
    this.log.push(event);
    this.storedAt.set(id, this.#schedule.now);
    return event;
  }

  async *#readStream(
    life: Life,
    stream: string,
    { from = 'start', direction = 'forwards', limit = Infinity }: ReadStreamOptions = {},
  ): AsyncGenerator<RecordedEvent> {
    const what = `read ${stream}`;
    await this.#schedule.turn(life, what);
    if (this.#schedule.fault(life, what, 'unavailable') !== 'none') throw new EventStoreUnavailable(what);
    const stored = this.stream(stream);
    const events = direction === 'backwards' ? stored.toReversed() : stored;
    yield* events.filter(({ revision }) => typeof from !== 'bigint' || revision >= from).slice(0, limit);
  }

  async *#readAll(life: Life): AsyncGenerator<RecordedEvent> {
    await this.#schedule.turn(life, 'read the log');
    yield* this.log.slice();
  }

  #subscribe(life: Life, options: SubscribeOptions): Subscription {
    const arrival = (): Promise<void> => new Promise((resolve) => this.#arrivals.push(resolve));
    return new FakeSubscription({ schedule: this.#schedule, life, log: this.log, arrival }, options);
  }
}

import { once } from 'node:events';
import { expect } from 'chai';
import {
  END,
  eventTypeFilter,
  excludeSystemEvents,
  START,
  StreamDeletedError,
  streamNameFilter,
  type AllStreamSubscription,
  type Filter,
  type Position,
  type StreamSubscription,
} from '@eventstore/db-client';
import { collect, failure, happened, numbers, startTestStore, type TestStore } from './testing.ts';

describe('subscribing to the embedded event store', () => {
  let store: TestStore;
  const open: (AllStreamSubscription | StreamSubscription)[] = [];
  beforeEach(async () => void (store = await startTestStore()));
  afterEach(async () => {
    await Promise.all(open.splice(0).map((subscription) => subscription.unsubscribe()));
    await store.close();
  });

  const append = (stream: string, ...values: number[]) =>
    store.client.appendToStream(
      stream,
      values.map((n) => happened(n)),
    );

  function toAll(options: Parameters<typeof store.client.subscribeToAll>[0] = {}): AllStreamSubscription {
    const subscription = store.client.subscribeToAll(options);
    open.push(subscription);
    return subscription;
  }

  function toStream(
    stream: string,
    options: Parameters<typeof store.client.subscribeToStream>[1] = {},
  ): StreamSubscription {
    const subscription = store.client.subscribeToStream(stream, options);
    open.push(subscription);
    return subscription;
  }

  it('to $all delivers existing events, then "caught up", then new events', async () => {
    await append('a-1', 1, 2);
    const subscription = toAll({ filter: excludeSystemEvents() });
    const caughtUp = once(subscription, 'caughtUp');
    const confirmed = once(subscription, 'confirmation');
    const events = collect(subscription, 4);
    await Promise.all([confirmed, caughtUp]);
    await append('b-1', 3, 4);
    expect(numbers(await events)).to.deep.equal([1, 2, 3, 4]);
  });

  it('to $all starts after the given position', async () => {
    await append('a-1', 1);
    const { position } = await append('a-1', 2);
    await append('a-1', 3);
    const events = await collect(toAll({ fromPosition: position ?? START }), 1);
    expect(numbers(events)).to.deep.equal([3]);
  });

  it('from the end delivers only new events', async () => {
    await append('a-1', 1);
    const all = toAll({ fromPosition: END });
    const stream = toStream('a-1', { fromRevision: END });
    const events = [collect(all, 1), collect(stream, 1)];
    await Promise.all([once(all, 'caughtUp'), once(stream, 'caughtUp')]);
    await append('a-1', 2);
    for (const received of events) expect(numbers(await received)).to.deep.equal([2]);
  });

  it('to a stream starts after the given revision, and delivers events of no other stream', async () => {
    await append('a-1', 0, 1, 2);
    const subscription = toStream('a-1', { fromRevision: 0n });
    const caughtUp = once(subscription, 'caughtUp');
    const events = collect(subscription, 3);
    await caughtUp;
    await append('a-2', 9);
    await append('a-1', 3);
    expect(numbers(await events)).to.deep.equal([1, 2, 3]);
  });

  it('to a stream that does not exist yet waits for it', async () => {
    const subscription = toStream('late-1');
    const caughtUp = once(subscription, 'caughtUp');
    const events = collect(subscription, 1);
    await caughtUp;
    await append('late-1', 7);
    expect(numbers(await events)).to.deep.equal([7]);
  });

  it('to a stream ends with an error when the stream is tombstoned', async () => {
    await append('a-1', 1);
    const subscription = toStream('a-1');
    const ended = failure(collect(subscription));
    await store.client.tombstoneStream('a-1');
    expect(await ended).to.be.instanceOf(StreamDeletedError);
    expect(await failure(collect(toStream('a-1')))).to.be.instanceOf(StreamDeletedError);
  });

  const filters: readonly (readonly [name: string, filter: Filter, expected: number[]])[] = [
    ['prefixes of stream names', streamNameFilter({ prefixes: ['a-', 'b-'] }), [1, 2, 4]],
    ['an expression of stream names', streamNameFilter({ regex: '^(b|c)-' }), [2, 3]],
    ['prefixes of event types', eventTypeFilter({ prefixes: ['Oth'] }), [4]],
    ['an expression of event types', eventTypeFilter({ regex: 'ed$' }), [1, 2, 3]],
    ['all but system events', excludeSystemEvents(), [1, 2, 3, 4]],
  ];
  for (const [name, filter, expected] of filters) {
    it(`to $all can be limited to ${name}`, async () => {
      await store.client.setStreamMetadata('a-1', { maxCount: 10 });
      await append('a-1', 1);
      await append('b-1', 2);
      await append('c-1', 3);
      await store.client.appendToStream('a-1', happened(4, 'Other'));
      const subscription = toAll({ filter });
      expect(numbers(await collect(subscription, expected.length))).to.deep.equal(expected);
    });
  }

  it('refuses an invalid regular expression', async () => {
    const error = await failure(collect(toAll({ filter: eventTypeFilter({ regex: '(' }) })));
    expect(error).to.include({ code: 3 });
  });

  describe('with a filter, is sent checkpoints', () => {
    /** The checkpoints of a catch-up with pages of ten events, and those that follow. */
    async function checkpoints(checkpointInterval: number, fromPosition?: Position) {
      const seen: Position[] = [];
      const filter = streamNameFilter({
        prefixes: ['wanted-'],
        maxSearchWindow: 10,
        checkpointInterval,
        checkpointReached: (_, position) => void seen.push(position),
      });
      const subscription = toAll({ filter, ...(fromPosition && { fromPosition }) });
      const caughtUp = once(subscription, 'caughtUp');
      subscription.resume();
      await caughtUp;
      return { seen, subscription };
    }
    const others = async (count: number) => {
      for (let n = 0; n < count; n++) await append('other-1', n);
    };
    /** Positions just before and at the event with that number. */
    async function places() {
      const all = await collect(store.client.readAll());
      const at = (index: number) => all[index]?.event?.position ?? { commit: 0n, prepare: 0n };
      return { at, before: (index: number) => ({ commit: at(index).commit, prepare: 0n }) };
    }

    it('that are the start of the last searched page, at each interval and at the end', async () => {
      await others(45);
      const { before } = await places();
      const start = { commit: 0n, prepare: 0n };
      expect((await checkpoints(1)).seen).to.deep.equal([start, ...[10, 20, 30, 40].map(before)]);
      expect((await checkpoints(2)).seen).to.deep.equal([before(10), before(30), before(40)]);
    });

    it('that are the last sent event, if that is after the start of the page', async () => {
      await others(14);
      await append('wanted-1', 1);
      await others(10);
      const { at, before } = await places();
      expect((await checkpoints(2)).seen).to.deep.equal([at(14), before(20)]);
    });

    it('from which it can be resumed: later events are sent again, and none is missed', async () => {
      await others(10);
      await append('wanted-1', 1);
      const { before } = await places();
      const { seen } = await checkpoints(1, before(0));
      expect(seen.at(0)).to.deep.equal(before(0));
      for (const fromPosition of [before(0), before(10)]) {
        const filter = streamNameFilter({ prefixes: ['wanted-'] });
        expect(numbers(await collect(toAll({ filter, fromPosition }), 1))).to.deep.equal([1]);
      }
    });

    it('that are the last considered event, once it has caught up', async () => {
      const { seen, subscription } = await checkpoints(1);
      const again = once(subscription, 'data');
      await others(20);
      await append('wanted-1', 1);
      await again;
      const { at } = await places();
      expect(seen.slice(1)).to.deep.equal([at(9), at(19)]);
    });
  });

  it('serves many subscriptions at once', async () => {
    const subscriptions = Array.from({ length: 30 }, (_, index) => toStream(`many-${index % 3}`));
    const received = subscriptions.map((subscription) => collect(subscription, 20));
    for (let n = 0; n < 20; n++) await Promise.all([0, 1, 2].map((index) => append(`many-${index}`, n)));
    for (const events of received)
      expect(numbers(await events)).to.deep.equal(Array.from({ length: 20 }, (_, n) => n));
  });

  /** Appends large events: many more than the server would buffer for a client that does not read. */
  const appendLarge = async (stream: string, first: number, last: number) => {
    const metadata = { data: 'x'.repeat(20_000) };
    const events = Array.from({ length: last - first + 1 }, (_, k) => ({ ...happened(first + k), metadata }));
    while (events.length > 0) await store.client.appendToStream(stream, events.splice(0, 40));
  };

  it('delivers everything to a slow reader, without "fell behind"', async () => {
    await append('slow-1', 0);
    const subscription = toStream('slow-1');
    let behind = 0;
    subscription.on('fellBehind', () => void (behind += 1));
    await once(subscription, 'caughtUp');
    await appendLarge('slow-1', 1, 400);
    const events = await collect(subscription, 401);
    expect(numbers(events)).to.deep.equal(Array.from({ length: 401 }, (_, n) => n));
    expect(behind).to.equal(0);
  });

  it('ends with ABORTED for a slow reader, as on older servers, when that fault is switched on', async () => {
    await append('slow-1', 0);
    store.server.faults.dropSlowSubscribers = true;
    const subscription = toStream('slow-1');
    await once(subscription, 'caughtUp');
    await appendLarge('slow-1', 1, 400);
    expect(await failure(collect(subscription))).to.include({ code: 10 });
  });
});

import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { needsEmbeddedStore } from '../../verification/testbed/index.ts';
import { collect, counted, nextNumbers, numberOf, quiet, upTo, useStore } from './testing.ts';
import { isAfter } from './position.ts';
import type { EventStore, Position, Subscription, SubscriptionMessage } from './types.ts';

const numbersTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('subscription', () => {
  const { server, connect, stop, start } = useStore();
  const append = async (store: EventStore, count: number) => {
    for (const event of upTo(count)) await store.append(`session-${event.id}`, 'no_stream', [event]);
  };
  /** Messages before "caught up". The subscription stays open. */
  async function untilCaughtUp(subscription: Subscription): Promise<SubscriptionMessage[]> {
    const before: SubscriptionMessage[] = [];
    const messages = subscription[Symbol.asyncIterator]();
    for (let next = await messages.next(); !next.done; next = await messages.next()) {
      if (next.value.kind === 'caught_up') break;
      before.push(next.value);
    }
    return before;
  }

  it('delivers existing events, then "caught up", then new events', async () => {
    const store = connect();
    await append(store, 3);
    const subscription = store.subscribe({ from: 'start', prefixes: ['session-'] });
    const events = (await untilCaughtUp(subscription)).filter(({ kind }) => kind === 'event');
    expect(events.map(numberOf)).to.deep.equal([0, 1, 2]);
    await store.append('account-a', 'no_stream', [counted(8)]);
    await store.append('session-a', 'no_stream', [counted(9)]);
    expect(await nextNumbers(subscription, 1)).to.deep.equal([9]);
  });

  it('from the end delivers only later events, even those between two of its calls', async () => {
    const store = connect();
    await append(store, 3);
    server().faults.endSubscriptions = 1;
    const subscription = store.subscribe({ from: 'end' });
    const next = nextNumbers(subscription, 2);
    await store.ping();
    await store.append('session-a', 'no_stream', [counted(10)]);
    await store.append('session-a', 0n, [counted(11)]);
    expect(await next).to.deep.equal([10, 11]);
  });

  it('with a filter by types delivers no others, whatever their streams', async () => {
    const store = connect();
    const others = ['Seen', 'Counting'].map((type, n) => ({ ...counted(n), type }));
    await store.append('session-a', 'no_stream', [...others, counted(5)]);
    const subscription = store.subscribe({ from: 'start', types: ['Counted', 'Seen'] });
    const events = (await untilCaughtUp(subscription)).filter(({ kind }) => kind === 'event');
    expect(events.map(numberOf)).to.deep.equal([0, 5]);
    await store.append('account-a', 'no_stream', [
      ...others.map((each) => ({ ...each, id: randomUUID() })),
      counted(6),
    ]);
    expect(await nextNumbers(subscription, 2)).to.deep.equal([0, 6]);
  });

  it('is resumed after ends without an error, and skips duplicates', async () => {
    const store = connect();
    await append(store, 30);
    Object.assign(server().faults, {
      endSubscriptions: 3,
      subscriptionEventsBeforeFault: 7,
      duplicatesOnResume: 5,
    });
    expect(await nextNumbers(store.subscribe({ from: 'start' }), 30)).to.deep.equal(numbersTo(30));
    expect(server().faults.endSubscriptions).to.equal(0);
  });

  it('is resumed when it falls silent while there is more to deliver', async () => {
    const store = connect();
    await append(store, 20);
    Object.assign(server().faults, { stallSubscriptions: 2, subscriptionEventsBeforeFault: 6 });
    const subscription = store.subscribe({ from: 'start', prefixes: ['session-'] });
    expect(await nextNumbers(subscription, 20)).to.deep.equal(numbersTo(20));
    expect(server().faults.stallSubscriptions).to.equal(0);
  });

  it('is resumed after a reset of its connection and after a restart of the server', async () => {
    const store = connect();
    await append(store, 5);
    const subscription = store.subscribe({ from: 'start' });
    expect(await nextNumbers(subscription, 5)).to.deep.equal(numbersTo(5));
    server().resetConnections();
    await store.append('session-a', 'no_stream', [counted(5)]);
    expect(await nextNumbers(subscription, 1)).to.deep.equal([5]);
    await stop();
    const next = nextNumbers(subscription, 1);
    await start();
    await store.append('session-a', 0n, [counted(6)]);
    expect(await next).to.deep.equal([6]);
  });

  it('is resumed after its consumer’s last event if the server drops it as too slow', async () => {
    const reasons: unknown[] = [];
    const logger = quiet.child({});
    logger.warn = ({ err }: { err?: { code?: number } }) => void reasons.push(err?.code);
    // Nothing else may break the call, not even the silence of a server on a shared processor.
    const store = connect({ logger, stallMs: 20_000, silenceMs: 20_000, appendDeadlineMs: 40_000 });
    server().faults.dropSlowSubscribers = true;
    await append(store, 1);
    const subscription = store.subscribe({ from: 'start', prefixes: ['session-'] });
    await untilCaughtUp(subscription);
    const large = (n: number) => ({ ...counted(n), data: { n, text: 'x'.repeat(20_000) } });
    for (let n = 1; n <= 400; n += 40) {
      const events = Array.from({ length: 40 }, (_, k) => large(n + k));
      await store.append(`session-large-${n}`, 'no_stream', events);
    }
    expect(await nextNumbers(subscription, 400)).to.deep.equal(numbersTo(401).slice(1));
    expect(reasons).to.deep.equal([status.ABORTED]);
  });

  it('is resumed from a checkpoint at the log’s end, and delivers the event directly after it', async () => {
    const store = connect();
    // Two whole pages of the server's search, so that the checkpoint is at the log's end.
    await store.append('account-a', 'no_stream', upTo(64));
    const subscription = store.subscribe({ from: 'start', prefixes: ['session-'] });
    const passed = await untilCaughtUp(subscription);
    expect(passed.map(({ kind }) => kind))
      .to.include('checkpoint')
      .and.not.include('event');
    server().resetConnections();
    await store.append('session-a', 'no_stream', [counted(7)]);
    expect(await nextNumbers(subscription, 1)).to.deep.equal([7]);
  });

  it('passes on checkpoints after every event before them, and none that its consumer has passed', async () => {
    const store = connect();
    await append(store, 40);
    Object.assign(server().faults, { checkpointEachEvent: true, repeatCaughtUp: true });
    Object.assign(server().faults, {
      endSubscriptions: 3,
      subscriptionEventsBeforeFault: 9,
      duplicatesOnResume: 5,
    });
    let last: Position | undefined;
    let events = 0;
    for await (const message of store.subscribe({ from: 'start', prefixes: ['session-'] })) {
      if (message.kind === 'caught_up') continue;
      const position = message.kind === 'event' ? message.event.position : message.position;
      expect(last === undefined || isAfter(position, last)).to.equal(true);
      last = position;
      if (message.kind === 'event') events += 1;
      if (events === 40) break;
    }
  });

  it('delivers only positions for the store’s own events', async () => {
    needsEmbeddedStore();
    const store = connect();
    await store.setStreamMetadata('session-a', { maxCount: 10 });
    const messages = await untilCaughtUp(store.subscribe({ from: 'start' }));
    expect(messages.map(({ kind }) => kind)).to.deep.equal(['checkpoint']);
  });

  it('ends with the error of a consumer that throws, and leaves nothing running', async () => {
    const store = connect();
    await append(store, 3);
    const subscription = store.subscribe({ from: 'start' });
    const consuming = (async () => {
      for await (const message of subscription)
        if (numberOf(message) === 1) throw new Error('of the consumer');
    })();
    const error = await consuming.catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error).and.include({ message: 'of the consumer' });
    expect(await collect(subscription)).to.deep.equal([]);
  });

  it('ends when it is closed, whether its consumer waits or not', async () => {
    const store = connect();
    const waiting = store.subscribe({ from: 'start' });
    const all = collect(waiting);
    await store.ping();
    await waiting.close();
    expect((await all).filter(({ kind }) => kind === 'event')).to.deep.equal([]);
    const unused = store.subscribe({ from: 'start' });
    await unused.close();
    expect(await collect(unused)).to.deep.equal([]);
  });
});

import { expect } from 'chai';
import {
  binaryEvent,
  jsonEvent,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  WrongExpectedVersionError,
  type AppendToStreamOptions,
} from '@eventstore/db-client';
import { collect, failure, happened, numbers, startTestStore, type TestStore } from './testing.ts';

/** The client uses batch appends unless it is given credentials. */
const PATHS: readonly (readonly [name: string, options: AppendToStreamOptions])[] = [
  ['batch', {}],
  ['single', { credentials: { username: 'admin', password: 'changeit' } }],
];

for (const [path, options] of PATHS) {
  describe(`appending to the embedded event store (${path})`, () => {
    let store: TestStore;
    before(async () => void (store = await startTestStore()));
    after(() => store.close());

    const append = (
      stream: string,
      events: Parameters<typeof store.client.appendToStream>[1],
      more: AppendToStreamOptions = {},
    ) => store.client.appendToStream(stream, events, { ...options, ...more });

    it('answers with the revision and the position of the last event', async () => {
      const first = await append('answer-1', [happened(1), happened(2)], { expectedRevision: 'no_stream' });
      const second = await append('answer-1', happened(3), { expectedRevision: 1n });
      const events = await collect(store.client.readStream('answer-1'));
      expect([first.nextExpectedRevision, second.nextExpectedRevision]).to.deep.equal([1n, 2n]);
      expect(events[1]?.event?.position).to.deep.equal(first.position);
      expect(events[2]?.event?.position).to.deep.equal(second.position);
    });

    it('stores an event unchanged', async () => {
      const metadata = { actor: 'someone' };
      const json = jsonEvent({ type: 'Jsón', data: { text: 'žluťoučký 🐎' }, metadata });
      const binary = binaryEvent({
        type: 'Bytes',
        data: Uint8Array.of(0, 255, 10),
        metadata: Uint8Array.of(1),
      });
      await append('kept-é', [json, binary]);
      const [first, second] = await collect(store.client.readStream('kept-é'));
      expect(first?.event).to.deep.include({
        id: json.id,
        type: 'Jsón',
        isJson: true,
        streamId: 'kept-é',
        metadata,
      });
      expect(first?.event?.data).to.deep.equal({ text: 'žluťoučký 🐎' });
      expect(second?.event).to.deep.include({ type: 'Bytes', isJson: false });
      expect([
        ...Buffer.from(second?.event?.data instanceof Uint8Array ? second.event.data : ''),
      ]).to.deep.equal([0, 255, 10]);
      expect(Math.abs(Date.now() - (first?.event?.created.getTime() ?? 0))).to.be.below(5000);
    });

    for (const [expected, actual] of [
      ['no_stream', 0n],
      [1n, 0n],
    ] as const) {
      it(`refuses expected revision ${expected} of a stream at ${actual}`, async () => {
        const stream = `wrong-${expected}`;
        await append(stream, happened(1));
        const error = await failure(append(stream, happened(2), { expectedRevision: expected }));
        expect(error).to.be.instanceOf(WrongExpectedVersionError);
        expect(error).to.deep.include({
          streamName: stream,
          expectedVersion: expected,
          actualVersion: actual,
        });
      });
    }

    for (const expected of ['stream_exists', 0n] as const) {
      it(`refuses expected revision ${expected} of a stream that does not exist`, async () => {
        const error = await failure(
          append(`missing-${expected}`, happened(1), { expectedRevision: expected }),
        );
        expect(error).to.be.instanceOf(WrongExpectedVersionError);
        expect(error).to.deep.include({ expectedVersion: expected, actualVersion: 'no_stream' });
      });
    }

    for (const expected of ['no_stream', 'any', 'stream_exists', 0n] as const) {
      it(`stores the same events once when they are sent again with ${expected}`, async () => {
        const stream = `again-${expected}`;
        if (expected !== 'no_stream') await append(stream, happened(0));
        const events = [happened(1), happened(2)];
        const first = await append(stream, events, { expectedRevision: expected });
        await append(stream, happened(3));
        const second = await append(stream, events, { expectedRevision: expected });
        expect(second).to.deep.equal(first);
        const stored = numbers(await collect(store.client.readStream(stream)));
        expect(stored.slice(-3)).to.deep.equal([1, 2, 3]);
      });
    }

    it('refuses events of which only some are stored', async () => {
      const events = [happened(1), happened(2)];
      await append('some-1', events, { expectedRevision: 'no_stream' });
      const changed = [events[0] ?? happened(1), happened(9)];
      const guarded = await failure(append('some-1', changed, { expectedRevision: 'no_stream' }));
      const unguarded = await failure(append('some-1', changed, { expectedRevision: 'any' }));
      expect(guarded).to.be.instanceOf(WrongExpectedVersionError);
      expect(unguarded).to.be.instanceOf(WrongExpectedVersionError);
    });

    it('refuses an append of more than a mebibyte', async () => {
      const big = binaryEvent({ type: 'Big', data: new Uint8Array(600_000) });
      const again = binaryEvent({ type: 'Big', data: new Uint8Array(600_000) });
      const error = await failure(append('big-1', [big, again]));
      expect(error).to.be.instanceOf(MaxAppendSizeExceededError);
      expect(error).to.include({ maxAppendSize: 1024 * 1024 });
      expect((await append('big-1', big)).nextExpectedRevision).to.equal(0n);
    });

    it('refuses an append to a tombstoned stream', async () => {
      await append('buried-1', happened(1));
      await store.client.tombstoneStream('buried-1');
      const error = await failure(append('buried-1', happened(2)));
      expect(error).to.be.instanceOf(StreamDeletedError);
      expect(error).to.include({ streamName: 'buried-1' });
    });

    it('accepts one of many appends that expect the same revision', async () => {
      const racers = Array.from({ length: 50 }, (_, n) =>
        append('race-1', happened(n), { expectedRevision: 'no_stream' }),
      );
      const outcomes = await Promise.allSettled(racers);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
      expect(await collect(store.client.readStream('race-1'))).to.have.length(1);
    });
  });
}

describe('appending in batches', () => {
  let store: TestStore;
  before(async () => void (store = await startTestStore()));
  after(() => store.close());

  it('assembles an append that arrives in several messages', async () => {
    const events = Array.from({ length: 200 }, (_, n) => happened(n));
    const { nextExpectedRevision } = await store.client.appendToStream('cut-1', events, {
      batchAppendSize: 1000,
    });
    expect(nextExpectedRevision).to.equal(199n);
    expect(numbers(await collect(store.client.readStream('cut-1')))).to.deep.equal(events.map((_, n) => n));
  });

  it('refuses an append whose deadline has passed', async () => {
    store.server.faults.clockAheadMs = 60_000;
    const error = await failure(store.client.appendToStream('late-1', happened(1)));
    store.server.faults.clockAheadMs = 0;
    expect(error).to.include({ type: 'deadline-exceeded' });
  });

  it('keeps the order in which appends arrived', async () => {
    const count = 500;
    await Promise.all(
      Array.from({ length: count }, (_, n) => store.client.appendToStream('order-1', happened(n))),
    );
    const stored = numbers(await collect(store.client.readStream('order-1')));
    expect(stored).to.deep.equal(Array.from({ length: count }, (_, n) => n));
  });
});

describe('the embedded event store of the tests', () => {
  let store: TestStore;
  before(async () => void (store = await startTestStore({ uniqueIds: true })));
  after(() => store.close());

  it('refuses an id that its stream has, and acknowledges a repeated append', async () => {
    const append = (event: ReturnType<typeof happened>, expectedRevision: bigint | 'no_stream') =>
      store.client.appendToStream('unique-1', event, { expectedRevision });
    const first = happened(1);
    await append(first, 'no_stream');
    expect((await append(first, 'no_stream')).nextExpectedRevision).to.equal(0n);
    await append(happened(2), 0n);
    expect(await failure(append(first, 1n))).to.be.instanceOf(Error);
    expect(numbers(await collect(store.client.readStream('unique-1')))).to.deep.equal([1, 2]);
  });
});

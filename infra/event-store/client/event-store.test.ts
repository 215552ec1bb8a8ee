import { expect } from 'chai';
import { collect, counted, dataNumber, metadata, upTo, useStore } from './testing.ts';
import { EventStoreUnavailable, WrongExpectedRevision } from './types.ts';

describe('event store', () => {
  const { server, connect, stop } = useStore();
  const numbers = async (events: AsyncIterable<{ data: unknown }>) =>
    (await collect(events)).map(({ data }) => dataNumber(data));

  it('returns appended events with their revision and position', async () => {
    const store = connect();
    const event = counted(7);
    const { revision, position } = await store.append('session-a', 'no_stream', [event]);
    const [read] = await collect(store.readStream('session-a'));
    expect(read).to.deep.include({
      id: event.id,
      stream: 'session-a',
      category: 'session',
      type: 'Counted',
      revision,
      position,
      data: { n: 7 },
      metadata,
    });
    expect(await store.head()).to.deep.equal(position);
  });

  it('refuses an append at an earlier revision of the stream, with the current one', async () => {
    const store = connect();
    await store.append('session-a', 'no_stream', upTo(3));
    const error = await store.append('session-a', 0n, [counted(3)]).catch((reason: unknown) => reason);
    expect(error)
      .to.be.instanceOf(WrongExpectedRevision)
      .and.deep.include({ stream: 'session-a', actual: 2n });
    const missing = await store.append('session-b', 0n, [counted(0)]).catch((reason: unknown) => reason);
    expect(missing).to.be.instanceOf(WrongExpectedRevision).and.deep.include({ actual: null });
  });

  it('stores a repeated append once', async () => {
    const store = connect();
    const events = upTo(2);
    const first = await store.append('session-a', 'no_stream', events);
    const second = await store.append('session-a', 'no_stream', events);
    expect(second).to.deep.equal(first);
    expect(await numbers(store.readStream('session-a'))).to.deep.equal([0, 1]);
  });

  it('reads a stream from any revision, in both directions, up to a limit, and nothing of a missing one', async () => {
    const store = connect();
    await store.append('session-a', 'no_stream', upTo(5));
    expect(await numbers(store.readStream('session-a', { from: 2n }))).to.deep.equal([2, 3, 4]);
    expect(await numbers(store.readStream('session-a', { limit: 2 }))).to.deep.equal([0, 1]);
    const back = { direction: 'backwards' } as const;
    expect(await numbers(store.readStream('session-a', { ...back, limit: 2 }))).to.deep.equal([4, 3]);
    expect(await numbers(store.readStream('session-a', { ...back, from: 1n }))).to.deep.equal([1, 0]);
    expect(await numbers(store.readStream('session-a', { from: 5n }))).to.deep.equal([]);
    expect(await numbers(store.readStream('session-none'))).to.deep.equal([]);
  });

  it('reads the log by prefixes, without the events of the store itself', async () => {
    const store = connect();
    await store.append('session-a', 'no_stream', [counted(0)]);
    await store.setStreamMetadata('session-a', { maxCount: 10 });
    const { position } = await store.append('account-a', 'no_stream', [counted(1)]);
    await store.append('session-b', 'no_stream', [counted(2)]);
    expect(await numbers(store.readAll())).to.deep.equal([0, 1, 2]);
    expect(await numbers(store.readAll({ limit: 2 }))).to.deep.equal([0, 1]);
    expect(await numbers(store.readAll({ from: position }))).to.deep.equal([1, 2]);
    expect(await numbers(store.readAll({ direction: 'backwards', limit: 2 }))).to.deep.equal([2, 1]);
    expect(await numbers(store.readAll({ prefixes: ['session-'] }))).to.deep.equal([0, 2]);
    expect(await numbers(store.readAll({ prefixes: ['session-'], limit: 1 }))).to.deep.equal([0]);
  });

  it('reads the log by types of events', async () => {
    const store = connect();
    const of = (type: string, n: number) => ({ ...counted(n), type });
    await store.append('session-a', 'no_stream', [of('Begun', 0), of('Moved', 1)]);
    await store.append('session-b', 'no_stream', [of('Begun', 2), of('Ended', 3)]);
    const types = ['Begun', 'Ended'];
    expect(await numbers(store.readAll({ types }))).to.deep.equal([0, 2, 3]);
    expect(await numbers(store.readAll({ types, limit: 2 }))).to.deep.equal([0, 2]);
  });

  it('shows only the newest events of a stream with a maximal count', async () => {
    const store = connect();
    await store.append('snapshot-a', 'no_stream', upTo(3));
    await store.setStreamMetadata('snapshot-a', { maxCount: 1 });
    expect(await numbers(store.readStream('snapshot-a'))).to.deep.equal([2]);
  });

  it('has no head while the log is empty', async () => {
    expect(await connect().head()).to.equal(undefined);
  });

  it('returns foreign events: broken JSON has no data, foreign metadata is replaced', async () => {
    await server().appendUnchecked('session-a', [
      {
        id: counted(0).id,
        type: 'Strange',
        contentType: 'application/json',
        data: Buffer.from('{"n":'),
        metadata: Buffer.from('"text"'),
      },
    ]);
    const [event] = await collect(connect().readStream('session-a'));
    expect(event).to.deep.include({ type: 'Strange', data: undefined });
    expect(event?.metadata).to.deep.include({ schema_version: 1, request_id: null });
  });

  it('resolves a ping while the server answers, and rejects it otherwise', async () => {
    const store = connect();
    await store.ping();
    await stop();
    expect(await store.ping().catch((reason: unknown) => reason)).to.be.instanceOf(EventStoreUnavailable);
  });
});

import { expect } from 'chai';
import {
  ANY,
  jsonEvent,
  NO_STREAM,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { collect, failure, happened, numbers, startTestStore, type TestStore } from './testing.ts';

describe('deleting from the embedded event store', () => {
  let store: TestStore;
  before(async () => void (store = await startTestStore()));
  after(() => store.close());

  const three = (stream: string) =>
    store.client.appendToStream(
      stream,
      [0, 1, 2].map((n) => happened(n)),
    );
  const shown = async (stream: string) => numbers(await collect(store.client.readStream(stream)));

  it('makes a deleted stream not found, and keeps its events in the whole log', async () => {
    await three('soft-1');
    const { position } = await store.client.deleteStream('soft-1', { expectedRevision: 2n });
    expect(position?.commit).to.be.a('bigint');
    expect(await failure(shown('soft-1'))).to.be.instanceOf(StreamNotFoundError);
    const all = await collect(store.client.readAll());
    expect(all.filter(({ event }) => event?.streamId === 'soft-1')).to.have.length(3);
  });

  for (const expectedRevision of [NO_STREAM, ANY, 2n] as const) {
    it(`continues the revisions of a deleted stream in an append with ${expectedRevision}`, async () => {
      const stream = `revived-${expectedRevision}`;
      await three(stream);
      await store.client.deleteStream(stream);
      const { nextExpectedRevision } = await store.client.appendToStream(stream, happened(9), {
        expectedRevision,
      });
      expect(nextExpectedRevision).to.equal(3n);
      expect(await shown(stream)).to.deep.equal([9]);
    });
  }

  it('refuses an append to a deleted stream that expects it to exist, or another revision', async () => {
    await three('gone-1');
    await store.client.deleteStream('gone-1');
    const append = (expectedRevision: 'stream_exists' | bigint) =>
      failure(store.client.appendToStream('gone-1', happened(9), { expectedRevision }));
    expect(await append('stream_exists')).to.be.instanceOf(StreamDeletedError);
    expect(await append(1n)).to.be.instanceOf(WrongExpectedVersionError);
  });

  it('shows no old events when metadata is set on a deleted stream', async () => {
    await three('meta-1');
    await store.client.deleteStream('meta-1');
    await store.client.setStreamMetadata('meta-1', { maxCount: 10 });
    expect(await shown('meta-1')).to.deep.equal([]);
    const { metadata } = await store.client.getStreamMetadata('meta-1');
    expect(metadata).to.deep.equal({ maxCount: 10, truncateBefore: 3 });
  });

  it('drops the other metadata of the stream, also when the stream is appended to again', async () => {
    await three('both-1');
    await store.client.setStreamMetadata('both-1', { maxCount: 2, custom: 'x' });
    await store.client.deleteStream('both-1');
    await store.client.appendToStream('both-1', happened(9));
    const { metadata } = await store.client.getStreamMetadata('both-1');
    expect(metadata).to.deep.equal({ truncateBefore: 3 });
  });

  it('refuses a delete, or a tombstone, at the wrong revision', async () => {
    await three('wrong-1');
    for (const refused of [
      () => store.client.deleteStream('wrong-1', { expectedRevision: 0n }),
      () => store.client.tombstoneStream('wrong-1', { expectedRevision: NO_STREAM }),
    ]) {
      const error = await failure(refused());
      expect(error).to.be.instanceOf(WrongExpectedVersionError);
      expect(error).to.include({ streamName: 'wrong-1', actualVersion: 2n });
    }
    expect(await shown('wrong-1')).to.deep.equal([0, 1, 2]);
  });

  it('makes a tombstoned stream and its metadata permanently unusable', async () => {
    await three('hard-1');
    await store.client.tombstoneStream('hard-1', { expectedRevision: 2n });
    for (const operation of [
      () => shown('hard-1'),
      () => shown('$$hard-1'),
      () => store.client.appendToStream('hard-1', happened(9), { expectedRevision: NO_STREAM }),
      () => store.client.setStreamMetadata('hard-1', { maxCount: 1 }),
      () => store.client.deleteStream('hard-1'),
      () => store.client.tombstoneStream('hard-1'),
    ]) {
      expect(await failure(operation())).to.be.instanceOf(StreamDeletedError);
    }
  });

  it('puts a tombstone into the whole log', async () => {
    await store.client.tombstoneStream('never-1');
    const all = await collect(store.client.readAll());
    expect(all.at(-1)?.event).to.deep.include({
      streamId: 'never-1',
      type: '$streamDeleted',
      revision: 9_223_372_036_854_775_807n,
    });
  });

  it('accepts metadata before the first event, after which the stream exists', async () => {
    await store.client.setStreamMetadata('early-1', { maxCount: 1 });
    expect(await failure(shown('early-1'))).to.be.instanceOf(StreamNotFoundError);
    const events = [1, 2].map((n) => jsonEvent({ type: 'Happened', data: { n } }));
    await store.client.appendToStream('early-1', events, { expectedRevision: 'stream_exists' });
    expect(await shown('early-1')).to.deep.equal([2]);
  });
});

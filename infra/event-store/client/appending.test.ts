import { performance } from 'node:perf_hooks';
import { expect } from 'chai';
import { until } from '../../verification/testbed/index.ts';
import { UnstorableEvent } from './failures.ts';
import { collect, counted, upTo, useStore } from './testing.ts';
import { EventStoreUnavailable, WrongExpectedRevision } from './types.ts';

describe('append', () => {
  const { server, connect, stop, start } = useStore();
  const ids = async (store: ReturnType<typeof connect>, stream: string) =>
    (await collect(store.readStream(stream))).map(({ id }) => id);

  it('that got no answer and was not stored is sent again', async () => {
    const store = connect();
    server().faults.dropBeforeCommit = 1;
    const event = counted(0);
    expect((await store.append('session-a', 'no_stream', [event])).revision).to.equal(0n);
    expect(await ids(store, 'session-a')).to.deep.equal([event.id]);
  });

  it('that got no answer and was stored is not stored again, and its position is returned', async () => {
    const store = connect();
    server().faults.dropAfterCommit = 1;
    const events = upTo(3);
    const { revision, position } = await store.append('session-a', 'no_stream', events);
    expect(revision).to.equal(2n);
    expect(position).to.deep.equal(await store.head());
    expect(await ids(store, 'session-a')).to.deep.equal(events.map(({ id }) => id));
  });

  it('that was stored without an answer succeeds, even if its repeat is refused', async () => {
    const store = connect();
    await store.append('session-a', 'no_stream', [counted(0)]);
    server().faults.dropAfterCommit = 1;
    const event = counted(1);
    const appending = store.append('session-a', 0n, [event]);
    await until(() => server().faults.dropAfterCommit === 0);
    server().faults.wrongExpectedVersion = 1;
    const { revision, position } = await appending;
    expect(revision).to.equal(1n);
    expect(position).to.deep.equal(await store.head());
  });

  it('that was lost is refused if another writer was faster than its repeat', async () => {
    const store = connect();
    const other = connect();
    server().faults.dropBeforeCommit = 1;
    const late = store.append('session-a', 'no_stream', [counted(0)]).catch((reason: unknown) => reason);
    await until(() => server().faults.dropBeforeCommit === 0);
    const winner = counted(1);
    await other.append('session-a', 'no_stream', [winner]);
    expect(await late)
      .to.be.instanceOf(WrongExpectedRevision)
      .and.deep.include({ actual: 0n });
    expect(await ids(store, 'session-a')).to.deep.equal([winner.id]);
  });

  it('is refused at once if no attempt has an unknown outcome', async () => {
    const store = connect();
    server().faults.wrongExpectedVersion = 1;
    const error = await store
      .append('session-a', 'no_stream', [counted(0)])
      .catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(WrongExpectedRevision);
  });

  it('is sent to the leader if a node answers that it is not the leader', async () => {
    const store = connect();
    server().faults.notLeader = 1;
    expect((await store.append('session-a', 'no_stream', [counted(0)])).revision).to.equal(0n);
  });

  it('rejects with EventStoreUnavailable at the deadline, its outcome unknown', async () => {
    const store = connect({ appendDeadlineMs: 700 });
    server().faults.dropBeforeCommit = Infinity;
    const startedAt = performance.now();
    const error = await store
      .append('session-a', 'no_stream', [counted(0)])
      .catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(EventStoreUnavailable);
    expect(performance.now() - startedAt).to.be.within(600, 4_000);
  });

  it('survives a restart of the server', async () => {
    const store = connect();
    await store.append('session-a', 'no_stream', [counted(0)]);
    await stop();
    const appending = store.append('session-a', 0n, [counted(1)]);
    await start();
    expect((await appending).revision).to.equal(1n);
  });

  it('survives a reset of its connection with many pending, and each is stored once', async () => {
    const store = connect();
    server().faults.appendDelayMs = 100;
    const streams = Array.from({ length: 20 }, (_, index) => `session-${index}`);
    const appending = Promise.all(streams.map((stream) => store.append(stream, 'no_stream', [counted(0)])));
    await store.ping();
    server().resetConnections();
    await appending;
    expect(await collect(store.readAll())).to.have.length(20);
  });

  it('does not depend on the server’s clock', async () => {
    const store = connect();
    server().faults.clockAheadMs = 3_600_000;
    expect((await store.append('session-a', 'no_stream', [counted(0)])).revision).to.equal(0n);
  });

  it('succeeds 500 times at once on a connection that is not open yet', async () => {
    const store = connect({ silenceMs: 5_000, appendDeadlineMs: 15_000 });
    const appended = await Promise.all(
      Array.from({ length: 500 }, (_, index) => store.append(`session-${index}`, 'no_stream', [counted(0)])),
    );
    expect(appended).to.have.length(500);
  });

  it('of an unstorable event is refused before anything is sent', async () => {
    const store = connect();
    const event = { ...counted(0), data: { n: 1n } };
    const error = await store.append('session-a', 'no_stream', [event]).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(UnstorableEvent);
    expect(await collect(store.readStream('session-a'))).to.deep.equal([]);
  });
});

import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import {
  EventStoreDBClient,
  NotLeaderError,
  START,
  UnavailableError,
  WrongExpectedVersionError,
  type Position,
} from '@eventstore/db-client';
import { until } from '../../verification/testbed/index.ts';
import { noFaults } from './faults.ts';
import { collect, failure, happened, numbers, startTestStore, type TestStore } from './testing.ts';

const PATIENCE_MS = 150;

describe('the fault switches of the embedded event store', () => {
  let store: TestStore;
  beforeEach(async () => void (store = await startTestStore()));
  afterEach(() => store.close());

  const append = (n: number) => store.client.appendToStream('s-1', happened(n));
  const stored = async () => numbers(await collect(store.client.readAll()));
  const outcome = (operation: Promise<unknown>) =>
    Promise.race([operation.then(() => 'answered'), delay(PATIENCE_MS, 'silence')]);

  it('lose an append before it is stored, without an answer', async () => {
    store.server.faults.dropBeforeCommit = 1;
    expect(await outcome(append(1))).to.equal('silence');
    await append(2);
    expect(await stored()).to.deep.equal([2]);
  });

  it('lose every append of one type of event, and no other', async () => {
    const [first, second] = [happened(1), { ...happened(2), type: 'Lost' }];
    store.server.faults.dropType = 'Lost';
    expect(await outcome(store.client.appendToStream('s-1', second))).to.equal('silence');
    await store.client.appendToStream('s-1', first);
    expect(await stored()).to.deep.equal([1]);
  });

  it('lose the answer to an append that is stored', async () => {
    store.server.faults.dropAfterCommit = 1;
    expect(await outcome(append(1))).to.equal('silence');
    expect(await stored()).to.deep.equal([1]);
  });

  it('delay an append', async () => {
    store.server.faults.appendDelayMs = 2 * PATIENCE_MS;
    const pending = append(1);
    expect(await outcome(pending)).to.equal('silence');
    await pending;
  });

  it('refuse an append as if another node were the leader, naming this one', async () => {
    store.server.faults.notLeader = 1;
    const error = await failure(append(1));
    expect(error).to.be.instanceOf(NotLeaderError);
    expect(error).to.deep.include({ leader: { address: '127.0.0.1', port: store.server.port } });
    await append(2);
  });

  it('refuse an append for its expected revision although it is right', async () => {
    store.server.faults.wrongExpectedVersion = 1;
    expect(await failure(append(1))).to.be.instanceOf(WrongExpectedVersionError);
    expect(await stored()).to.deep.equal([]);
  });

  it('break every connection', async () => {
    await append(1);
    store.server.faults.dropBeforeCommit = 1;
    const pending = failure(append(2));
    await until(() => store.server.faults.dropBeforeCommit === 0);
    store.server.resetConnections();
    expect(await pending).to.be.instanceOf(UnavailableError);
  });

  it('accept connections without ever sending anything on them', async () => {
    store.server.faults.withholdSettings = true;
    const client = EventStoreDBClient.connectionString(`${store.server.url}&defaultDeadline=100`);
    expect(await outcome(client.appendToStream('s-1', happened(1)))).to.equal('silence');
    store.server.resetConnections();
  });

  it('end a subscription, without an error, after some events', async () => {
    for (let n = 0; n < 5; n++) await append(n);
    Object.assign(store.server.faults, { endSubscriptions: 1, subscriptionEventsBeforeFault: 3 });
    expect(numbers(await collect(store.client.subscribeToAll()))).to.deep.equal([0, 1, 2]);
    expect(numbers(await collect(store.client.subscribeToAll(), 5))).to.deep.equal([0, 1, 2, 3, 4]);
  });

  it('fall silent on a subscription after some events', async () => {
    for (let n = 0; n < 5; n++) await append(n);
    Object.assign(store.server.faults, { stallSubscriptions: 1, subscriptionEventsBeforeFault: 2 });
    const subscription = store.client.subscribeToAll();
    const received: unknown[] = [];
    subscription.on('data', (event) => received.push(...numbers([event])));
    await until(() => received.length === 2);
    await collect(store.client.subscribeToAll(), 5);
    expect(received).to.deep.equal([0, 1]);
    await subscription.unsubscribe();
  });

  it('send events again that a resuming subscription has seen', async () => {
    await append(0);
    await append(1);
    const { position } = await append(2);
    await append(3);
    store.server.faults.duplicatesOnResume = 2;
    const all = store.client.subscribeToAll({ fromPosition: position ?? START });
    expect(numbers(await collect(all, 3))).to.deep.equal([1, 2, 3]);
    const stream = store.client.subscribeToStream('s-1', { fromRevision: 2n });
    expect(numbers(await collect(stream, 3))).to.deep.equal([1, 2, 3]);
    await Promise.all([all.unsubscribe(), stream.unsubscribe()]);
  });

  it('say "caught up" again and again, and send checkpoints between events', async () => {
    await append(0);
    await append(1);
    Object.assign(store.server.faults, { repeatCaughtUp: true, checkpointEachEvent: true });
    const checkpoints: Position[] = [];
    const subscription = store.client.subscribeToAll({
      filter: {
        filterOn: 'streamName',
        prefixes: ['s-'],
        checkpointInterval: 100,
        checkpointReached: (_, position) => void checkpoints.push(position),
      },
    });
    let caughtUp = 0;
    subscription.on('caughtUp', () => void (caughtUp += 1));
    subscription.resume();
    await until(() => caughtUp === 3);
    expect(checkpoints).to.have.length.of.at.least(1);
    await subscription.unsubscribe();
  });

  it('store events that no client could: too large to receive, of unknown types, with broken JSON', async () => {
    const event = (data: Uint8Array, type: string) => ({
      id: crypto.randomUUID(),
      type,
      contentType: 'application/json',
      data,
      metadata: new Uint8Array(),
    });
    await store.server.appendUnchecked('odd-1', [event(Buffer.from('{"n":'), 'Strange')]);
    const [broken] = await collect(store.client.readStream('odd-1'));
    expect(broken?.event).to.deep.include({ type: 'Strange', data: '{"n":' });
    await store.server.appendUnchecked('odd-2', [event(Buffer.alloc(17 * 1024 * 1024, ' '), 'Large')]);
    const [withheld] = await collect(store.client.readStream('odd-2'));
    expect(withheld?.event).to.deep.include({ type: 'Large', data: '' });
    store.server.faults.oversizedEvents = true;
    expect(await failure(collect(store.client.readStream('odd-2')))).to.include({ code: 8 });
  });

  it('are all off by default', () => {
    expect(store.server.faults).to.deep.equal(noFaults());
  });
});

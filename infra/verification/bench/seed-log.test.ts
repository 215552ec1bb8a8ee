import { expect } from 'chai';
import { validateEvent } from '../../../commands/engine/recording.ts';
import { sessionEvents } from '../../../contracts/events/session.ts';
import { toId } from '../../../contracts/ids.ts';
import { startTestStore, type TestStore } from '../../event-store/server/testing.ts';
import { connectEventStore, type EventStore, type RecordedEvent } from '../../event-store/client/index.ts';
import { quiet, collect } from '../../event-store/client/testing.ts';
import { seedLog, seededLife, seededStream } from './seed-log.ts';

describe('the seed of a log', () => {
  let server: TestStore;
  let store: EventStore;
  beforeEach(async () => {
    server = await startTestStore();
    store = connectEventStore({ url: server.server.url, logger: quiet });
  });
  afterEach(async () => {
    await store.close();
    await server.close();
  });

  const typesOf = (events: readonly RecordedEvent[]) => events.map(({ type }) => type);

  it('holds complete lives of sessions according to the contract, each in its stream', async () => {
    await seedLog(store, { seed: 7, events: 20, perStream: 7, perAppend: 3 });
    const all = await collect(store.readAll());
    for (const event of all) validateEvent(sessionEvents, event);
    expect(all).to.have.length(20);
    expect(new Set(all.map(({ id }) => id)).size).to.equal(20);
    expect(typesOf(await collect(store.readStream(seededStream(7, 0))))).to.deep.equal([
      'SessionRequested',
      'SessionReady',
      'OperationClaimed',
      'OperationSettled',
      'OperationClaimed',
      'OperationSettled',
      'SessionDestroyed',
    ]);
    expect(await collect(store.readStream(seededStream(7, 2)))).to.have.length(6);
  });

  it('is the same for the same seed, another for another, and continues where an earlier one ended', async () => {
    expect(seededLife(3, 9, { seed: 1 })).to.deep.equal(seededLife(3, 9, { seed: 1 }));
    expect(seededStream(1, 3)).not.to.equal(seededStream(2, 3));
    await seedLog(store, { seed: 1, events: 4, perStream: 2, perAppend: 2 });
    await seedLog(store, { seed: 1, events: 4, perStream: 2, perAppend: 2, firstStream: 2 });
    const streams = (await collect(store.readAll())).map(({ stream }) => stream);
    expect(new Set(streams)).to.deep.equal(new Set([0, 1, 2, 3].map((index) => seededStream(1, index))));
  });

  it('gives the sessions to the accounts in turn', () => {
    const accounts = [1, 2].map((n) => toId('account', `00000000-0000-4000-8000-00000000000${n}`));
    for (const [stream, accountId] of [accounts[0], accounts[1], accounts[0]].entries()) {
      expect(seededLife(stream, 1, { seed: 1, accounts })[0]?.data).to.include({ accountId });
    }
  });
});

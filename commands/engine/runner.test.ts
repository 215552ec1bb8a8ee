import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Refusal } from '../../contracts/problems.ts';
import { collect, quiet, useStore } from '../../infra/event-store/client/testing.ts';
import {
  EventStoreUnavailable,
  WrongExpectedRevision,
  type EventStore,
} from '../../infra/event-store/client/types.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { InvalidEvent } from './recording.ts';
import { Contended, createRunner } from './runner.ts';
import { at, context, drained, node, undrained } from './testing.ts';

const refusal = (reason: unknown): unknown => (reason instanceof Refusal ? reason.slug : reason);

/** Counts the runner's calls of the store. */
function counting(store: EventStore) {
  const calls = { reads: 0, appends: 0 };
  const counted: EventStore = {
    ...store,
    readStream: (...rest) => {
      calls.reads += 1;
      return store.readStream(...rest);
    },
    append: (...rest) => {
      calls.appends += 1;
      return store.append(...rest);
    },
  };
  return { calls, store: counted };
}

describe('command runner', () => {
  const { server, connect } = useStore();
  const runnerOn = (store: EventStore, cacheEntries = 100) =>
    createRunner({ store, logger: quiet, cacheEntries });
  const read = (store: EventStore, uuid: string) => collect(store.readStream(`node-${uuid}`));

  it('stores what the rule decides, with the metadata of the command', async () => {
    const store = connect();
    const uuid = randomUUID();
    const outcome = await runnerOn(store).run(node, uuid, 'drain', context());
    expect(outcome).to.deep.include({
      state: { drained: true, changes: 1 },
      events: [drained],
      revision: 0n,
    });
    const [event] = await read(store, uuid);
    expect(event).to.deep.include({ ...drained, position: outcome.position });
    expect(event?.metadata).to.deep.equal({
      correlation_id: 'correlation',
      causation_id: 'causation',
      by: 'request:test',
      actor: { kind: 'staff', account_id: null },
      occurred_at: at,
      schema_version: 1,
      request_id: 'req_1',
      ip: '192.0.2.7',
    });
  });

  it('returns the last event of a stream, whether it was read or cached', async () => {
    const store = connect();
    const uuid = randomUUID();
    const runner = runnerOn(store);
    expect((await runner.load(node, uuid)).last).to.equal(null);
    const { last } = await runner.run(node, uuid, 'drain', context());
    const [event] = await read(store, uuid);
    expect(last).to.deep.equal({ id: event?.id, metadata: { correlation_id: 'correlation' } });
    expect((await runner.load(node, uuid, { cached: true })).last).to.deep.equal(last);
    expect((await runnerOn(store).load(node, uuid)).last).to.deep.equal(last);
  });

  it('gives the events of a repeated command the same ids', async () => {
    const store = connect();
    const [first, second] = [randomUUID(), randomUUID()];
    const commandId = randomUUID();
    await runnerOn(store).run(node, first, 'drain', context(commandId));
    await runnerOn(store).run(node, second, 'drain', context(commandId));
    expect((await read(store, first))[0]?.id).to.equal((await read(store, second))[0]?.id);
  });

  it('stores an event with the context that is chosen for it, under the id that its command gives it', async () => {
    const store = connect();
    const [usual, chosen] = [randomUUID(), randomUUID()];
    const commandId = randomUUID();
    const actor = { kind: 'user', account_id: 'another' } as const;
    const contextOf = () => ({ ...context(), actor });
    await runnerOn(store).run(node, usual, 'drain', context(commandId));
    await runnerOn(store).run(node, chosen, 'drain', context(commandId), { contextOf });
    const [[one], [other]] = [await read(store, usual), await read(store, chosen)];
    expect(other?.metadata).to.deep.equal({ ...one?.metadata, actor });
    expect(other?.id).to.equal(one?.id);
  });

  it('carries out a command once, even if it is repeated after others and its rule would decide again', async () => {
    const store = connect();
    const uuid = randomUUID();
    const here = runnerOn(store);
    const repeated = { ...context(), by: 'timer:test' } as const;
    await here.run(node, uuid, 'toggle', repeated);
    await here.run(node, uuid, 'toggle', context());
    for (const runner of [here, runnerOn(store), runnerOn(store, 0)]) {
      const outcome = await runner.run(node, uuid, 'toggle', repeated);
      expect(outcome).to.deep.include({ events: [], revision: 1n, state: { drained: false, changes: 2 } });
    }
    expect(await read(store, uuid)).to.have.length(2);
  });

  it('stores nothing of a command that makes an event its contract does not allow', async () => {
    const store = connect();
    const uuid = randomUUID();
    const error = await runnerOn(store)
      .run(node, uuid, 'break', context())
      .catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(InvalidEvent);
    expect(await read(store, uuid)).to.deep.equal([]);
  });

  it('stores nothing of a command that makes an event of a retired type', async () => {
    const store = connect();
    const retiring = { ...node, category: { ...node.category, retired: [drained.type] } };
    const error = await runnerOn(store)
      .run(retiring, randomUUID(), 'drain', context())
      .catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(InvalidEvent);
  });

  it('reads nothing for a new stream, nor for one it has just written', async () => {
    const { calls, store } = counting(connect());
    const runner = runnerOn(store);
    const uuid = randomUUID();
    await runner.run(node, uuid, 'drain', context(), { create: true });
    await runner.run(node, uuid, 'undrain', context());
    expect(calls).to.deep.equal({ reads: 0, appends: 2 });
  });

  it('decides a creation again if the stream existed after all', async () => {
    const store = connect();
    const uuid = randomUUID();
    await runnerOn(store).run(node, uuid, 'drain', context());
    const error = await runnerOn(store)
      .run(node, uuid, 'drain', context(), { create: true })
      .catch((reason: unknown) => reason);
    expect(refusal(error)).to.equal('conflict');
    expect(await read(store, uuid)).to.have.length(1);
  });

  it('does not trust a refusal, or an empty decision, on a state that has changed since', async () => {
    const store = connect();
    const [here, there] = [runnerOn(store), runnerOn(store)];
    const uuid = randomUUID();
    await here.run(node, uuid, 'drain', context());
    await there.run(node, uuid, 'undrain', context());
    expect((await here.run(node, uuid, 'drain', context())).revision).to.equal(2n);
    expect((await there.run(node, uuid, 'undrain', context())).events).to.deep.equal([undrained]);
  });

  it('decides again on the state after a faster writer', async () => {
    const store = connect();
    const [here, there] = [runnerOn(store), runnerOn(store)];
    const uuid = randomUUID();
    await here.run(node, uuid, 'toggle', context());
    await there.run(node, uuid, 'toggle', context());
    const { state, events } = await here.run(node, uuid, 'toggle', context());
    expect(events).to.deep.equal([drained]);
    expect(state.changes).to.equal(3);
  });

  it('refuses with conflict after ten decisions in a row were overtaken', async () => {
    const { calls, store } = counting(connect());
    const overtaken: EventStore = {
      ...store,
      append: async (stream, expected, events) => {
        calls.appends += 1;
        throw new WrongExpectedRevision(
          stream,
          typeof expected === 'bigint' ? expected + 1n : events.length ? 0n : null,
        );
      },
    };
    const error = await runnerOn(overtaken)
      .run(node, randomUUID(), 'toggle', context())
      .catch((reason: unknown) => reason);
    expect(refusal(error)).to.equal('conflict');
    expect(error).to.be.instanceOf(Contended);
    expect(calls.appends).to.equal(11);
  });

  it('lets one of 200 racers win, and asks the store a few times, not 200', async () => {
    const { calls, store } = counting(connect());
    const runner = runnerOn(store);
    const uuid = randomUUID();
    await runner.run(node, uuid, 'drain', context());
    await runner.run(node, uuid, 'undrain', context());
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, () =>
        runner.run(node, uuid, 'drain', context()).then(() => 'won', refusal),
      ),
    );
    expect(outcomes.filter((each) => each === 'won')).to.have.length(1);
    expect(outcomes.filter((each) => each === 'conflict')).to.have.length(199);
    expect(calls.reads).to.be.below(5);
    expect(calls.appends).to.equal(3);
  });

  it('lets one of 200 racers win across processes', async () => {
    const runners = [1, 2, 3, 4].map(() => runnerOn(connect()));
    const uuid = randomUUID();
    const outcomes = await Promise.all(
      runners.flatMap((runner) =>
        Array.from({ length: 50 }, () =>
          runner.run(node, uuid, 'drain', context()).then(() => 'won', refusal),
        ),
      ),
    );
    expect(outcomes.filter((each) => each === 'won')).to.have.length(1);
    expect(outcomes.filter((each) => each === 'conflict')).to.have.length(199);
  });

  it('gives up queued commands if the store does not answer, without sending them', async () => {
    const { calls, store } = counting(connect());
    const stuck: EventStore = {
      ...store,
      append: async () => {
        calls.appends += 1;
        await until(() => false, { limitMs: 50 }).catch(() => {});
        throw new EventStoreUnavailable('silent');
      },
    };
    const runner = createRunner({ store: stuck, logger: quiet, cacheEntries: 10, patienceMs: 20 });
    const uuid = randomUUID();
    const failures = await Promise.all(
      [1, 2, 3].map(() => runner.run(node, uuid, 'toggle', context()).catch((reason: unknown) => reason)),
    );
    for (const failure of failures) expect(failure).to.be.instanceOf(EventStoreUnavailable);
    expect(calls.appends).to.equal(1);
  });

  it('loads the present state of a stream, or on request the cached one', async () => {
    const store = connect();
    const [here, there] = [runnerOn(store), runnerOn(store)];
    const uuid = randomUUID();
    expect(await here.load(node, uuid)).to.deep.include({ state: node.initialState, revision: null });
    await here.run(node, uuid, 'drain', context());
    await there.run(node, uuid, 'undrain', context());
    expect(await here.load(node, uuid, { cached: true })).to.deep.include({ revision: 0n });
    expect(await here.load(node, uuid)).to.deep.include({ revision: 1n });
  });

  it('skips events of unknown types, and throws for data that is not JSON', async () => {
    const store = connect();
    const uuid = randomUUID();
    const stored = async (type: string, data: string) =>
      server().appendUnchecked(`node-${uuid}`, [
        {
          id: randomUUID(),
          type,
          contentType: 'application/json',
          data: Buffer.from(data),
          metadata: Buffer.from(''),
        },
      ]);
    await runnerOn(store).run(node, uuid, 'drain', context());
    await stored('NodePainted', '{}');
    const { state, revision } = await runnerOn(store).load(node, uuid);
    expect({ state, revision }).to.deep.equal({ state: { drained: true, changes: 1 }, revision: 1n });
    await stored('NodeUndrained', '{"nodeId":');
    const error = await runnerOn(store)
      .load(node, uuid)
      .catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error);
    expect(String(error)).to.include('unreadable data at revision 2');
  });

  it('caches no more states than it may', async () => {
    const { calls, store } = counting(connect());
    const runner = runnerOn(store, 2);
    const uuids = [randomUUID(), randomUUID(), randomUUID()];
    for (const uuid of uuids) await runner.run(node, uuid, 'drain', context(), { create: true });
    for (const uuid of uuids.toReversed()) await runner.run(node, uuid, 'undrain', context());
    expect(calls.reads).to.equal(1);
  });
});

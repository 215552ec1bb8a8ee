import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { collect, quiet, useStore } from '../../infra/event-store/client/testing.ts';
import { EventStoreUnavailable, type EventStore } from '../../infra/event-store/client/types.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { createRunner } from './runner.ts';
import { context, node } from './testing.ts';

describe('snapshots', () => {
  const { connect } = useStore();
  const longLived: typeof node = { ...node, snapshotEvery: 5 };
  const toggle = async (store: EventStore, uuid: string, times: number, decider = longLived) => {
    const runner = createRunner({ store, logger: quiet, cacheEntries: 10 });
    for (let n = 0; n < times; n += 1) await runner.run(decider, uuid, 'toggle', context());
  };
  const snapshotOf = async (store: EventStore, uuid: string) =>
    (await collect(store.readStream(`snapshot-node-${uuid}`)))[0];
  /** The first revision that a fresh runner reads from the stream. */
  async function readFrom(store: EventStore, uuid: string, decider: typeof node): Promise<unknown> {
    let from: unknown;
    const watched: EventStore = {
      ...store,
      readStream: (stream, options) => {
        if (stream === `node-${uuid}`) from = options?.from;
        return store.readStream(stream, options);
      },
    };
    const { state } = await createRunner({ store: watched, logger: quiet, cacheEntries: 0 }).load(
      decider,
      uuid,
    );
    expect(state.changes).to.equal(12);
    return from;
  }

  it('save folding a long stream from its first event; only the newest is kept', async () => {
    const store = connect();
    const uuid = randomUUID();
    await toggle(store, uuid, 12);
    await until(async () => (await snapshotOf(store, uuid))?.revision === 1n);
    expect(await readFrom(store, uuid, longLived)).to.equal(10n);
  });

  it('remember the commands that were carried out before them', async () => {
    const store = connect();
    const uuid = randomUUID();
    await toggle(store, uuid, 8);
    const repeated = { ...context(), by: 'timer:test' } as const;
    const run = (command: typeof repeated) =>
      createRunner({ store, logger: quiet, cacheEntries: 0 }).run(longLived, uuid, 'toggle', command);
    await run(repeated);
    await toggle(store, uuid, 3);
    await until(async () => (await snapshotOf(store, uuid))?.revision === 1n);
    expect(await readFrom(store, uuid, longLived)).to.equal(10n);
    expect((await run(repeated)).events).to.deep.equal([]);
  });

  it('are ignored if the state had another shape', async () => {
    const store = connect();
    const uuid = randomUUID();
    await toggle(store, uuid, 12);
    await until(async () => (await snapshotOf(store, uuid))?.revision === 1n);
    expect(await readFrom(store, uuid, { ...longLived, stateVersion: 2 })).to.equal('start');
  });

  it('are ignored if their release knew fewer types of events, whose effects they lack', async () => {
    const store = connect();
    const uuid = randomUUID();
    const { NodeRevoked: _, ...types } = longLived.category.types;
    const earlier: typeof node = { ...longLived, category: { ...longLived.category, types } };
    await toggle(store, uuid, 12, earlier);
    await until(async () => (await snapshotOf(store, uuid))?.revision === 1n);
    expect(await readFrom(store, uuid, longLived)).to.equal('start');
    expect(await readFrom(store, uuid, earlier)).to.equal(10n);
  });

  it('cost nothing but time if they cannot be written', async () => {
    const store = connect();
    const uuid = randomUUID();
    const refusing: EventStore = {
      ...store,
      append: async (stream, ...rest) => {
        if (stream.startsWith('snapshot-')) throw new EventStoreUnavailable('full');
        return store.append(stream, ...rest);
      },
    };
    await toggle(refusing, uuid, 12);
    expect(await readFrom(store, uuid, longLived)).to.equal('start');
  });

  it('are not loaded again for a stream that had no events', async () => {
    const store = connect();
    const read: string[] = [];
    const watched: EventStore = {
      ...store,
      readStream: (stream, options) => {
        read.push(stream);
        return store.readStream(stream, options);
      },
    };
    const runner = createRunner({ store: watched, logger: quiet, cacheEntries: 10 });
    const uuid = randomUUID();
    for (let n = 0; n < 3; n += 1) await runner.load(longLived, uuid);
    const [snapshot, stream] = [`snapshot-node-${uuid}`, `node-${uuid}`];
    expect(read).to.deep.equal([snapshot, stream, stream, stream]);
  });
});

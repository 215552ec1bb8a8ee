import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { v5 as uuidv5 } from 'uuid';
import { collect, metadata, quiet, useStore } from '../../infra/event-store/client/testing.ts';
import type { EventStore } from '../../infra/event-store/client/types.ts';
import { gate } from '../../infra/verification/testbed/index.ts';
import { createRunner } from './runner.ts';
import { context, drained, node, undrained } from './testing.ts';

/** Due once: whether it drains or undrains depends on what a process has read elsewhere. */
const due: typeof node = {
  ...node,
  decide: (command, { changes }) => (changes > 0 ? [] : [command === 'drain' ? drained : undrained]),
};

describe('a timer that is carried out again', () => {
  const { connect } = useStore();
  const runnerOn = (store: EventStore) => createRunner({ store, logger: quiet, cacheEntries: 100 });
  const timer = () => ({ ...context(), by: 'timer:x' }) as const;

  it('returns what another process has decided differently meanwhile, and not its own decision', async () => {
    const [store, held, uuid, repeated] = [connect(), gate(), randomUUID(), timer()];
    const slow: EventStore = {
      ...store,
      append: async (...rest) => {
        await held.pass();
        return store.append(...rest);
      },
    };
    const here = runnerOn(slow);
    const outcome = here.run(due, uuid, 'drain', repeated);
    await held.reached;
    await runnerOn(store).run(due, uuid, 'undrain', repeated);
    held.open();
    const stored = { state: { drained: false, changes: 1 }, revision: 0n };
    expect(await outcome).to.deep.include({ ...stored, events: [] });
    expect(await here.load(due, uuid, { cached: true })).to.deep.include(stored);
    const types = (await collect(store.readStream(`node-${uuid}`))).map(({ type }) => type);
    expect(types).to.deep.equal([undrained.type]);
  });

  it('changes nothing if an earlier release has carried it out, whose ids have no type', async () => {
    const [store, uuid, repeated] = [connect(), randomUUID(), timer()];
    const event = { id: uuidv5('0', repeated.commandId), ...drained, metadata };
    await store.append(`node-${uuid}`, 'no_stream', [event]);
    await runnerOn(store).run(node, uuid, 'undrain', context());
    expect((await runnerOn(store).run(node, uuid, 'toggle', repeated)).events).to.deep.equal([]);
    expect((await runnerOn(store).run(node, uuid, 'toggle', timer())).events).to.deep.equal([drained]);
  });
});

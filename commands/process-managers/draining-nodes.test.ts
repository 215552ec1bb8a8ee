import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, uuidOf, type NodeId } from '../../contracts/ids.ts';
import { after } from '../../domain/kit/time.ts';
import { agentWorld, type AgentWorld } from '../agent-session/testing.ts';
import type { OwnedAgentSession } from '../agent-session/index.ts';
import { createNodeCommands, type NodeCommands } from '../node/index.ts';
import { newContext, quiet, useStore } from '../session/testing.ts';
import {
  drainingNodesSweep,
  type DrainingNodePorts,
  type Holder,
  type LastStatus,
} from './draining-nodes.ts';

const opened = useStore();
let side: AgentWorld;
let nodes: NodeCommands;
let nodeId: NodeId;
let held: OwnedAgentSession[];
beforeEach(async () => {
  side = agentWorld(opened.store);
  nodes = createNodeCommands(side.world);
  nodeId = toId('node', randomUUID());
  await nodes.register({ nodeId, name: 'one', credentialHash: 'hash' });
  held = [await holding(), await holding()];
});

const holding = async () => side.created({ service_session_id: await side.driverSession() });
const holderOf = async ({ id: agentSessionId, accountId }: OwnedAgentSession): Promise<Holder> => {
  const { browser } = await side.stateOf(agentSessionId);
  if (browser === null) throw new Error('It has no browser.');
  return { agentSessionId, accountId, browser };
};
const holders = () => Promise.all(held.map(holderOf));
/** The node's last heartbeat. */
const beat = (more: Partial<LastStatus> = {}): LastStatus => ({ nodeId, draining: true, ageMs: 0, ...more });
const sweep = (row: LastStatus, more: Partial<DrainingNodePorts> = {}) =>
  drainingNodesSweep({
    ...{ runner: side.world.runner, clock: side.world.clock, logger: quiet },
    registry: { list: () => Promise.resolve([row]) },
    holdersOn: async (of) => (of === nodeId ? holders() : []),
    agentSessions: side.upkeep,
    ...{ liveMs: 15_000, everyMs: 1000 },
    ...more,
  }).run(new AbortController().signal);

/** The ends in the announcements to an agent session, in order. */
async function announcedTo({ id }: OwnedAgentSession): Promise<unknown[]> {
  const ends: unknown[] = [];
  for await (const { type, data } of opened.store.readStream(`agent_session-${uuidOf(id)}`))
    if (type === 'DrainAnnounced') ends.push((data as { readonly endsBy: unknown }).endsBy);
  return ends;
}
const announced = () => Promise.all(held.map(announcedTo));
const drain = () => nodes.drain(nodeId, newContext(null));

describe('a node that drains', () => {
  it('is announced to each agent session on it, once, also by a process whose read model is outdated', async () => {
    await drain();
    const outdated = await holders();
    await sweep(beat());
    await sweep(beat());
    await sweep(beat(), { holdersOn: () => Promise.resolve(outdated) });
    expect(await announced()).to.deep.equal([[null], [null]]);
  });

  it('is announced to an agent session that takes its driver session later', async () => {
    await drain();
    await sweep(beat());
    held = [...held, await holding()];
    await sweep(beat());
    expect(await announced()).to.deep.equal([[null], [null], [null]]);
  });

  it('is announced with the time at which it ends its browsers when it is stopped, drained before or not', async () => {
    const stopped = beat({ leavesInMs: 60_000 });
    const endsBy = after(side.now(), 60_000);
    await sweep(stopped);
    side.world.clock.advance(2_000);
    await sweep(stopped);
    expect(await announced()).to.deep.equal([[endsBy], [endsBy]]);

    held = [await holding()];
    await drain();
    await sweep(beat());
    await sweep(stopped);
    expect(await announced()).to.deep.equal([[null, after(endsBy, 2_000)]]);
  });

  it('is announced later to those that could not be told', async () => {
    await drain();
    const [first] = held;
    await sweep(beat(), {
      agentSessions: {
        announceDrain: (of, context) =>
          of.agentSessionId === first?.id
            ? Promise.reject(new Error('The event store is away.'))
            : side.upkeep.announceDrain(of, context),
      },
    });
    expect(await announced()).to.deep.equal([[], [null]]);
    await sweep(beat());
    expect(await announced()).to.deep.equal([[null], [null]]);
  });

  it('is not announced once it was undrained, though its next heartbeats still say that it drains', async () => {
    await drain();
    await nodes.undrain(nodeId, newContext(null));
    await sweep(beat());
    expect(await announced()).to.deep.equal([[], []]);
  });

  it('is not announced once it sends no more heartbeats', async () => {
    await drain();
    await sweep(beat({ ageMs: 15_000 }));
    expect(await announced()).to.deep.equal([[], []]);
  });

  it('is looked for in the heartbeats alone', async () => {
    const holdersOn = () => Promise.reject(new Error('Nothing drains.'));
    await sweep(beat({ draining: false }), { holdersOn });
  });
});

import { expect } from 'chai';
import type { SessionId } from '../../contracts/ids.ts';
import { gate } from '../../infra/verification/testbed/index.ts';
import { newContext, newSessionId, useStore } from '../session/testing.ts';
import { heartbeatKey } from './index.ts';
import { agentWorld, type AgentWorld } from './testing.ts';

const opened = useStore();
let side: AgentWorld;
beforeEach(() => {
  side = agentWorld(opened.store);
});
const context = () => newContext(null);
const idle_timeout_seconds = 60;
const pass = (seconds: number) => side.world.clock.advance(seconds * 1000);

async function session(): Promise<SessionId> {
  const id = newSessionId();
  await side.world.sessions.create(side.next(), id, { idle_timeout_seconds });
  return id;
}
const due = async (id: SessionId) => {
  await side.upkeep.endIdleSession(id, context());
  return side.statusOf(id);
};

describe('an idle session', () => {
  it('ends with its browser and frees its slot', async () => {
    const id = await session();
    pass(59);
    expect(await due(id)).to.equal('SessionReady');
    pass(1);
    expect(await due(id)).to.equal('SessionDestroyed');
    expect(side.world.fleet.destroyed).to.deep.equal([id]);
  });
  it('stays open while it is operated, while people watch, and while its agent works', async () => {
    const [operated, watched, messaged] = [await session(), await session(), await session()];
    const { id: agent } = await side.created({ service_session_id: messaged });
    pass(40);
    const owned = await side.world.sessions.find(side.next(), operated);
    await side.world.sessions.operate(side.next(), owned, 'navigate', {});
    side.ports.heartbeats.record(heartbeatKey.watched(watched));
    await side.turn(agent);
    pass(20);
    for (const id of [operated, watched, messaged]) expect(await due(id)).to.equal('IdleTimeoutExtended');
    pass(40);
    expect(await due(operated)).to.equal('SessionDestroyed');
    expect(await due(watched)).to.equal('SessionDestroyed');
    expect(await due(messaged)).to.equal('IdleTimeoutExtended');
  });
  it('is ended by one of several processes that find it due', async () => {
    const id = await session();
    pass(60);
    await Promise.all([due(id), due(id), due(id)]);
    const types = await side.world.eventsOf('session', id);
    expect(types).to.deep.equal(['SessionRequested', 'SessionReady', 'SessionDestroyed']);
  });
  it('keeps its browser if another process has recorded its use for the same timer', async () => {
    const append = gate();
    let pass = () => Promise.resolve();
    const { store } = opened;
    const late = agentWorld({
      ...store,
      append: (...rest) => pass().then(() => store.append(...rest)),
    });
    const id = newSessionId();
    await late.world.sessions.create(late.next(), id, { idle_timeout_seconds });
    pass = append.pass;
    for (const { world } of [side, late]) world.clock.advance(60_000);
    side.ports.heartbeats.record(heartbeatKey.watched(id));
    const timer = { ...context(), by: 'timer:session_idle' } as const;
    const ending = late.upkeep.endIdleSession(id, timer);
    await append.reached;
    await side.upkeep.endIdleSession(id, timer);
    append.open();
    await ending;
    expect(await side.statusOf(id)).to.equal('IdleTimeoutExtended');
    expect(late.world.fleet.destroyed).to.deep.equal([]);
  });
});

describe('an idle agent session', () => {
  it('is closed, and releases the driver session that was attached to it', async () => {
    const sessionId = await side.driverSession();
    const { id } = await side.created({ idle_timeout_seconds, service_session_id: sessionId });
    pass(60);
    await side.upkeep.closeIdle(id, context());
    const { status, closedReason } = await side.stateOf(id);
    expect([status, closedReason]).to.deep.equal(['closed', 'idle']);
    expect(await side.holder(sessionId)).to.equal(null);
    expect(await side.statusOf(sessionId)).to.equal('SessionReady');
  });
  it('ends the driver session that it started, as idle too', async () => {
    const sessionId = await side.driverSession();
    const { id } = await side.created({ mode: 'manual', idle_timeout_seconds });
    await side.decide(id, { type: 'StartDriverSession', sessionId, at: side.now() });
    pass(60);
    await side.upkeep.closeIdle(id, context());
    expect((await side.stateOf(id)).closedReason).to.equal('idle');
    expect(await side.causeOf(sessionId)).to.equal('idle');
  });
  it('stays open while its browser is operated or watched', async () => {
    const [operated, watched] = [await side.driverSession(), await side.driverSession()];
    const open = (service_session_id: SessionId) =>
      side.created({ idle_timeout_seconds, service_session_id });
    const agents = [await open(operated), await open(watched)];
    pass(30);
    const owned = await side.world.sessions.find(side.next(), operated);
    await side.world.sessions.operate(side.next(), owned, 'navigate', {});
    side.ports.heartbeats.record(heartbeatKey.watched(watched));
    pass(30);
    for (const { id } of agents) {
      await side.upkeep.closeIdle(id, context());
      expect((await side.stateOf(id)).status).to.equal('active');
    }
    pass(30);
    for (const { id } of agents) {
      await side.upkeep.closeIdle(id, context());
      expect((await side.stateOf(id)).closedReason).to.equal('idle');
    }
  });
});

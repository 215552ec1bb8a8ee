import { expect } from 'chai';
import type { SessionId } from '../../contracts/ids.ts';
import type { Heartbeats } from '../../infra/ephemeral/index.ts';
import { newContext, newSessionId, nodeId, useStore } from '../session/testing.ts';
import { hold } from './holder.ts';
import { createAgentSessionUpkeep, heartbeatKey, type OwnedAgentSession } from './index.ts';
import { agentWorld, type AgentWorld } from './testing.ts';

const opened = useStore();
let side: AgentWorld;
beforeEach(() => {
  side = agentWorld(opened.store);
});
const context = () => newContext(null);

/** An agent session that has started its driver session in a running turn. */
async function spawned(): Promise<{ readonly of: OwnedAgentSession; readonly sessionId: SessionId }> {
  const [of, sessionId] = [await side.created(), await side.driverSession()];
  await hold(
    side.ports,
    { sessionId, agentSessionId: of.id, accountId: of.accountId, spawned: true },
    context(),
  );
  await side.turn(of.id, sessionId);
  return { of, sessionId };
}

/** The answer arrives ten seconds after it was read. */
const slowly =
  (last: Heartbeats['last']): Heartbeats['last'] =>
  async (key) => {
    const read = await last(key);
    side.world.clock.advance(10_000);
    return read;
  };

describe('a turn under a lease', () => {
  it('continues while its process sends heartbeats', async () => {
    const { id } = await side.created();
    const turnId = await side.turn(id);
    side.world.clock.advance(20_000);
    side.ports.heartbeats.record(heartbeatKey.turn(turnId));
    side.world.clock.advance(29_999);
    await side.upkeep.expireTurnLease(id, context());
    expect((await side.stateOf(id)).turn?.turnId).to.equal(turnId);
    side.world.clock.advance(1);
    await side.upkeep.expireTurnLease(id, context());
    const { turn, error } = await side.stateOf(id);
    expect([turn, error?.code, error?.retryable]).to.deep.equal([null, 'turn_lost', false]);
  });
  it('continues if a heartbeat arrives while the last one is read', async () => {
    const { id } = await side.created();
    const turnId = await side.turn(id);
    const heartbeats = { ...side.ports.heartbeats, last: slowly(side.ports.heartbeats.last) };
    side.world.clock.advance(25_000);
    await createAgentSessionUpkeep({ ...side.ports, heartbeats }).expireTurnLease(id, context());
    expect((await side.stateOf(id)).turn?.turnId).to.equal(turnId);
  });
  it('is lost with the driver session that it started, which is then ended', async () => {
    const { of, sessionId } = await spawned();
    side.world.clock.advance(30_000);
    await side.upkeep.expireTurnLease(of.id, context());
    const lost = { agentSessionId: of.id, accountId: of.accountId, sessionId, at: side.now() };
    await side.upkeep.endDriverSession({ ...lost, cause: 'turn_lost' }, context());
    expect(await side.causeOf(sessionId)).to.equal('agent_session');
    expect(await side.statusOf(sessionId)).to.equal('SessionDestroyed');
    expect([await side.holder(sessionId), (await side.stateOf(of.id)).browser]).to.deep.equal([null, null]);
  });
  it('is no longer waited for once it has ended', async () => {
    const { id } = await side.created();
    const turnId = await side.turn(id);
    const answer = { kind: 'refuse', ok: false, limit: null, sealedAnswer: 'sealed' } as const;
    const step = { turnId, sealedInterrupted: 'sealed', heartbeatDueAt: side.now(), at: side.now() };
    await side.decide(id, { type: 'SettleTurn', ...step, ...answer });
    side.world.clock.advance(30_000);
    await side.upkeep.expireTurnLease(id, context());
    const { entries, error } = await side.stateOf(id);
    expect([entries, error]).to.deep.equal([2, null]);
  });
});

describe('a client in pair mode', () => {
  const drivenBy = async (clientId: string) => {
    const of = await side.created({ mode: 'pair' });
    await side.agents.takeOver(side.next(), of, { client_id: clientId });
    const grant = { type: 'GrantTakeover', clientId, heartbeatDueAt: side.now(), at: side.now() } as const;
    await side.decide(of.id, grant);
    return of;
  };
  it('keeps its request while it sends heartbeats, and loses it without them', async () => {
    const of = await side.created({ mode: 'pair' });
    await side.agents.takeOver(side.next(), of, { client_id: 'console' });
    side.world.clock.advance(20_000);
    side.ports.heartbeats.record(heartbeatKey.client(of.id, 'console'));
    side.world.clock.advance(29_999);
    await side.upkeep.expireHeartbeat(of.id, context());
    expect((await side.stateOf(of.id)).pair?.kind).to.equal('takeover-pending');
    side.world.clock.advance(1);
    await side.upkeep.expireHeartbeat(of.id, context());
    expect((await side.stateOf(of.id)).pair?.kind).to.equal('ai-driving');
  });
  it('returns the controls to the agent by a handback', async () => {
    const of = await drivenBy('console');
    expect((await side.agents.handBack(side.next(), of)).pair.kind).to.equal('handback-pending');
    const ids = { agentSessionId: of.id, accountId: of.accountId };
    const since = String((await side.stateOf(of.id)).pair?.since);
    // A repeated reaction to an earlier handback.
    await side.upkeep.completeHandback({ ...ids, at: '2020-01-01T00:00:00.000Z' }, context());
    expect((await side.stateOf(of.id)).pair?.kind).to.equal('handback-pending');
    await side.upkeep.completeHandback({ ...ids, at: since }, context());
    expect((await side.stateOf(of.id)).pair?.kind).to.equal('ai-driving');
  });
  it('keeps its request if a heartbeat arrives while the last one is read', async () => {
    const of = await side.created({ mode: 'pair' });
    await side.agents.takeOver(side.next(), of, { client_id: 'console' });
    const heartbeats = { ...side.ports.heartbeats, last: slowly(side.ports.heartbeats.last) };
    side.world.clock.advance(25_000);
    await createAgentSessionUpkeep({ ...side.ports, heartbeats }).expireHeartbeat(of.id, context());
    expect((await side.stateOf(of.id)).pair?.kind).to.equal('takeover-pending');
  });
  it('loses the controls if it falls silent while it drives', async () => {
    const of = await drivenBy('console');
    side.world.clock.advance(30_000);
    await side.upkeep.expireHeartbeat(of.id, context());
    expect((await side.stateOf(of.id)).pair?.kind).to.equal('ai-driving');
  });
});

describe('a driver session that meets a challenge', () => {
  const challengeId = 'chl_1';
  const pausedOn = async () => {
    const sessionId = await side.driverSession();
    const of = await side.created({ service_session_id: sessionId });
    await side.upkeep.pause({ sessionId, challengeId }, context());
    return { of, sessionId };
  };

  it('pauses the agent session that holds it, and no other', async () => {
    const { of } = await pausedOn();
    expect((await side.stateOf(of.id)).status).to.equal('paused');
    const other = await side.created({ service_session_id: await side.driverSession() });
    await side.upkeep.pause({ sessionId: newSessionId(), challengeId }, context());
    expect((await side.stateOf(other.id)).status).to.equal('active');
  });
  it('is polled from the request of a resume until the challenge is gone', async () => {
    const { of } = await pausedOn();
    await side.upkeep.checkChallenge(of.id, context());
    expect(side.challenges.asked).to.equal(0);
    await side.agents.resume(side.next(), of, challengeId);
    await side.upkeep.checkChallenge(of.id, context());
    expect([side.challenges.asked, (await side.stateOf(of.id)).status]).to.deep.equal([1, 'paused']);
    side.challenges.cleared = true;
    await side.upkeep.checkChallenge(of.id, context());
    expect((await side.stateOf(of.id)).status).to.equal('active');
  });
  it('is not polled for ever: the session stays paused, and may be resumed again', async () => {
    const { of } = await pausedOn();
    await side.agents.resume(side.next(), of, null);
    side.world.clock.advance(10 * 60_000);
    await side.upkeep.checkChallenge(of.id, context());
    await side.upkeep.checkChallenge(of.id, context());
    expect([side.challenges.asked, (await side.stateOf(of.id)).status]).to.deep.equal([1, 'paused']);
    side.challenges.cleared = true;
    await side.agents.resume(side.next(), of, null);
    await side.upkeep.checkChallenge(of.id, context());
    expect((await side.stateOf(of.id)).status).to.equal('active');
  });
  it('has no challenge any more once it has ended', async () => {
    const { of, sessionId } = await pausedOn();
    await side.agents.resume(side.next(), of, null);
    await side.world.sessions.destroy(side.next(), { id: sessionId });
    await side.upkeep.checkChallenge(of.id, context());
    expect([side.challenges.asked, (await side.stateOf(of.id)).status]).to.deep.equal([0, 'active']);
  });
});

describe('a driver session that ends', () => {
  it('is lost to the agent session that holds it, and no longer held', async () => {
    const sessionId = await side.driverSession();
    const of = await side.created({ service_session_id: sessionId });
    await side.world.sessions.destroy(side.next(), { id: sessionId });
    await side.upkeep.loseDriverSession(sessionId, context());
    const { browser, error } = await side.stateOf(of.id);
    expect([browser?.ended, error, await side.holder(sessionId)]).to.deep.equal([true, null, null]);
  });
  it('leaves the failure by which it ended', async () => {
    const { of, sessionId } = await spawned();
    await side.world.sessions.markNodeLost(sessionId, nodeId, context());
    await side.upkeep.loseDriverSession(sessionId, context());
    const { browser, error } = await side.stateOf(of.id);
    expect([browser, error?.code, error?.summary]).to.deep.equal([
      null,
      'driver_session_failed',
      'The browser driver was unavailable.',
    ]);
  });
  it('changes nothing if no agent session holds it', async () => {
    const [of, sessionId] = [await side.created(), await side.driverSession()];
    await side.upkeep.loseDriverSession(sessionId, context());
    const { updatedAt, createdAt, error } = await side.stateOf(of.id);
    expect([updatedAt, error]).to.deep.equal([createdAt, null]);
  });
});

describe('an agent session that was closed', () => {
  it('ends the driver session that it started, although the process that closed it died', async () => {
    const { of, sessionId } = await spawned();
    await side.decide(of.id, { type: 'Close', reason: 'customer-closed', at: side.now() });
    await side.upkeep.releaseClosed(of.id, context());
    expect(await side.statusOf(sessionId)).to.equal('SessionDestroyed');
    expect(await side.holder(sessionId)).to.equal(null);
    await side.upkeep.releaseClosed(of.id, context());
  });
  const causes = [
    ['customer-closed', 'customer'],
    ['budget-exhausted', 'agent_session'],
    ['account-erased', 'suspension'],
    ['idle', 'idle'],
  ] as const;
  for (const [reason, cause] of causes)
    it(`ends it with the cause ${cause} if it was closed as ${reason}`, async () => {
      const { of, sessionId } = await spawned();
      await side.decide(of.id, { type: 'Close', reason, at: side.now() });
      await side.upkeep.releaseClosed(of.id, context());
      expect(await side.causeOf(sessionId)).to.equal(cause);
    });
  it('keeps its driver session until then', async () => {
    const { of, sessionId } = await spawned();
    await side.upkeep.releaseClosed(of.id, context());
    expect(await side.statusOf(sessionId)).to.equal('SessionReady');
    expect(await side.holder(sessionId)).to.equal(of.id);
  });
  it('leaves an attached driver session open', async () => {
    const sessionId = await side.driverSession();
    const of = await side.created({ service_session_id: sessionId });
    await side.agents.close(side.next(), of);
    expect([await side.statusOf(sessionId), await side.holder(sessionId)]).to.deep.equal([
      'SessionReady',
      null,
    ]);
  });
  it('prevents a turn from starting the driver session that it was about to start', async () => {
    const [of, sessionId] = [await side.created(), newSessionId()];
    await side.turn(of.id, sessionId);
    await side.agents.close(side.next(), of);
    const late = side.world.sessions.create(side.next(), sessionId, {});
    await late.then(
      () => expect.fail('It was started.'),
      () => undefined,
    );
    expect(side.world.fleet.created).not.to.include(sessionId);
  });
  it('loses the driver session that was never started, although the process that closed it died', async () => {
    const [of, sessionId] = [await side.created(), newSessionId()];
    await side.turn(of.id, sessionId);
    await side.decide(of.id, { type: 'Close', reason: 'idle', at: side.now() });
    await side.upkeep.releaseClosed(of.id, context());
    const lost = await side.stateOf(of.id);
    expect([lost.browser, lost.error, lost.closedReason]).to.deep.equal([null, null, 'idle']);
    expect(await side.world.eventsOf('session', sessionId)).to.deep.equal(['SessionWithdrawn']);
    side.world.clock.advance(1000);
    await side.upkeep.releaseClosed(of.id, context());
    expect(await side.stateOf(of.id)).to.deep.equal(lost);
  });
  it('still names the driver session that was ended while it started', async () => {
    const [of, sessionId] = [await side.created(), newSessionId()];
    await side.turn(of.id, sessionId);
    side.world.fleet.onCreate = async () => {
      await side.agents.close(side.next(), of);
      return { outcome: 'succeeded', egress_capabilities: null };
    };
    await side.world.sessions.create(side.next(), sessionId, {}).catch(() => undefined);
    expect(await side.statusOf(sessionId)).to.equal('SessionDestroyed');
    expect((await side.stateOf(of.id)).browser?.sessionId).to.equal(sessionId);
  });
  it('shows the same state when it is closed again', async () => {
    const of = await side.created();
    const first = await side.agents.close(side.next(), of);
    side.world.clock.advance(1000);
    const again = await side.agents.close(side.next(), of);
    expect(again.session).to.deep.equal(first.session);
  });
});

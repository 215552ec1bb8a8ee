import { expect } from 'chai';
import { slugOf, useStore } from '../session/testing.ts';
import { hold } from './holder.ts';
import { createAgentSessionCommands } from './index.ts';
import { agentWorld, newAgentSessionId, type AgentWorld } from './testing.ts';

const minute = 60_000;

describe('a creation whose process dies', () => {
  const opened = useStore();
  let side: AgentWorld;
  beforeEach(() => {
    side = agentWorld(opened.store);
  });

  /** Holds the driver session, as left by a process that died right after. */
  const diedHolding = async () => {
    const [id, sessionId] = [newAgentSessionId(), await side.driverSession()];
    const { accountId, context } = side.next();
    await hold(side.ports, { sessionId, agentSessionId: id, accountId, spawned: false }, context);
    return { id, sessionId };
  };

  it('is described as it was created, regardless of later changes', async () => {
    const sessionId = await side.driverSession();
    const { id, accountId } = await side.created({ mode: 'pair', service_session_id: sessionId });
    const { state } = await side.agents.changeMode(side.next(), { id, accountId }, 'manual');
    expect(state.mode).to.equal('manual');
    await side.agents.close(side.next(), { id, accountId });
    const outcome = await side.agents.describe(id);
    expect(outcome.kind === 'created' && outcome.body).to.deep.include({
      ...{ id, status: 'active', mode: 'pair', pair_mode_state: { kind: 'ai-driving' } },
      ...{ service_session_id: sessionId, closed_at: null, transcript_length: 0 },
    });
  });
  it('keeps its driver session while its request may still be running', async () => {
    const { sessionId } = await diedHolding();
    side.world.clock.advance(minute - 1);
    expect(await slugOf(side.created({ service_session_id: sessionId }))).to.equal('conflict');
  });
  it('loses its driver session to the next request after that, and can no longer be completed', async () => {
    const { id, sessionId } = await diedHolding();
    side.world.clock.advance(minute);
    const next = await side.created({ service_session_id: sessionId });
    expect(await side.holder(sessionId)).to.equal(next.id);
    expect(await slugOf(side.agents.create(side.next(), id, {}))).to.equal('conflict');
    expect((await side.agents.describe(id)).kind).to.equal('absent');
  });
  it('releases its driver session when the request is withdrawn', async () => {
    const { id, sessionId } = await diedHolding();
    await side.agents.withdraw(side.next(), id, { service_session_id: sessionId });
    expect(await side.holder(sessionId)).to.equal(null);
    expect(await slugOf(side.agents.create(side.next(), id, {}))).to.equal('conflict');
  });
  it('is not withdrawn once it is completed', async () => {
    const sessionId = await side.driverSession();
    const { id } = await side.created({ service_session_id: sessionId });
    await side.agents.withdraw(side.next(), id, { service_session_id: sessionId });
    expect([await side.holder(sessionId), (await side.stateOf(id)).status]).to.deep.equal([id, 'active']);
  });
  it('releases its driver session when it is refused as too late', async () => {
    const [id, sessionId] = [newAgentSessionId(), await side.driverSession()];
    await side.agents.withdraw(side.next(), id, {});
    const late = side.agents.create(side.next(), id, { service_session_id: sessionId });
    expect(await slugOf(late)).to.equal('conflict');
    expect(await side.holder(sessionId)).to.equal(null);
  });
  it('holds no driver session if its start settings cannot be sealed', async () => {
    const sessionId = await side.driverSession();
    const vault = { seal: () => Promise.reject(new Error('The vault is away.')) };
    const agents = createAgentSessionCommands({ ...side.ports, vault });
    const body = { service_session_id: sessionId, initial_url: 'http://example.com/' };
    await agents.create(side.next(), newAgentSessionId(), body).then(
      () => expect.fail('It was created.'),
      (error: unknown) => expect(String(error)).to.contain('The vault is away.'),
    );
    expect(await side.holder(sessionId)).to.equal(null);
  });
});

describe('a driver session whose agent session has closed', () => {
  const opened = useStore();

  it('is free, although the process that closed the agent session died before it released it', async () => {
    const side = agentWorld(opened.store);
    const sessionId = await side.driverSession();
    const { id } = await side.created({ service_session_id: sessionId });
    await side.decide(id, { type: 'Close', reason: 'customer-closed', at: side.now() });
    expect(await side.holder(sessionId)).to.equal(id);
    const next = await side.created({ service_session_id: sessionId });
    expect(await side.holder(sessionId)).to.equal(next.id);
  });
});

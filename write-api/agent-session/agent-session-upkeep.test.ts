import { expect } from 'chai';
import { heartbeatKey } from '../../commands/agent-session/index.ts';
import type { SessionId } from '../../contracts/ids.ts';
import { movableClock } from '../testing.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { agentClient, type AgentClient } from '../testing/agent-client.ts';
import { startServiceWithProcesses, type ServiceWithProcesses } from '../testing/processes.ts';

const clock = movableClock();
let service: ServiceWithProcesses;
let client: AgentClient;
before(async () => {
  service = await startServiceWithProcesses({ clock });
});
after(() => service.close());
beforeEach(async () => {
  client = agentClient(service, await service.staff.account('enterprise'));
});

const now = () => clock.now().toISOString();
const later = () => new Date(clock.now().getTime() + 30_000).toISOString();
const created = async (body?: object) => String((await client.create(body)).json.id);
const driverSession = async () => String((await client.call('POST /v1/sessions', {})).json.id) as SessionId;
const happens = (id: string, wanted: string) =>
  until(async () => (await client.events(id)).find(({ type }) => type === wanted));
/** A turn whose lease expires in half a minute of the service's clock. */
const turn = async (id: string) => client.turn(id, clock.now().getTime() - Date.now() + 30_000);
/** A session started by a turn of the agent session. */
const spawned = async (id: string, turnId: string, sessionId: SessionId) => {
  const step = { turnId, sealedInterrupted: 'sealed', heartbeatDueAt: now(), at: now() };
  await client.decide(id, { type: 'SpawnDriverSession', ...step, sessionId });
};

describe('what happens to agent sessions without requests', () => {
  it('a turn whose process is gone is lost, and the driver session that it started is ended', async () => {
    const [id, sessionId] = [await created(), await driverSession()];
    await spawned(id, await turn(id), sessionId);
    clock.advance(30_000);
    await happens(id, 'TurnAbandoned');
    expect((await happens(id, 'ErrorRaised')).data).to.include({ code: 'turn_lost', retryable: false });
    await until(async () => (await client.call(`GET /v1/sessions/${sessionId}/state`)).status === 410);
  });
  it('a turn whose process sends heartbeats goes on', async () => {
    const [alive, gone] = [await created(), await created()];
    const turnId = await turn(alive);
    await turn(gone);
    clock.advance(15_000);
    service.heartbeats.record(heartbeatKey.turn(turnId));
    await until(async () => (await service.heartbeats.last(heartbeatKey.turn(turnId))) !== null);
    clock.advance(16_000);
    await happens(gone, 'TurnAbandoned');
    expect(await client.types(alive)).to.deep.equal(['AgentSessionCreated', 'TurnAdmitted']);
  });
  const drivenBy = async (clientId: string) => {
    const id = await created({ mode: 'pair' });
    await client.on(id, 'takeover', { client_id: clientId });
    await client.decide(id, { type: 'GrantTakeover', clientId, heartbeatDueAt: later(), at: now() });
    return id;
  };
  it('a takeover of a client that is not connected stays pending, and lapses', async () => {
    const id = await created({ mode: 'pair' });
    await client.on(id, 'takeover', { client_id: 'a' });
    expect((await client.on(id, 'handback')).status).to.equal(409);
    clock.advance(30_000);
    await happens(id, 'TakeoverExpired');
    expect(await client.types(id)).not.to.include('TakeoverGranted');
  });
  it('the controls go back to the agent when the person who drives falls silent', async () => {
    const id = await drivenBy('a');
    clock.advance(30_000);
    await happens(id, 'PairModeTimedOut');
  });
  it('a handback is completed', async () => {
    const id = await drivenBy('a');
    await client.on(id, 'handback');
    await happens(id, 'HandbackCompleted');
  });
  it('a challenge of the driver session pauses the agent session that works with it', async () => {
    const service_session_id = await driverSession();
    const [id, other] = [await created({ service_session_id }), await created()];
    const url = 'http://sim.test/challenge';
    await client.call(`POST /v1/sessions/${service_session_id}/navigate`, { url });
    await happens(id, 'AgentSessionPaused');
    expect((await client.on(id, 'mode', { mode: 'manual' })).status).to.equal(409);
    expect((await client.on(other, 'mode', { mode: 'manual' })).status).to.equal(200);
  });
  it('a resume waits until the challenge is gone from the page, and then the session is active', async () => {
    const service_session_id = await driverSession();
    const id = await created({ service_session_id });
    const goTo = (path: string) =>
      client.call(`POST /v1/sessions/${service_session_id}/navigate`, { url: `http://sim.test${path}` });
    await goTo('/challenge');
    await happens(id, 'AgentSessionPaused');
    expect((await client.on(id, 'resume')).status).to.equal(202);
    expect((await client.on(id, 'takeover', { client_id: 'a' })).status).to.equal(409);
    await goTo('/');
    await happens(id, 'AgentSessionResumed');
    expect((await client.on(id, 'mode', { mode: 'manual' })).status).to.equal(200);
  });
  it('a driver session that ends is lost by the agent session that works with it', async () => {
    const service_session_id = await driverSession();
    const id = await created({ service_session_id });
    await client.call(`DELETE /v1/sessions/${service_session_id}`);
    expect((await happens(id, 'DriverSessionLost')).data).to.include({ cause: 'ended' });
  });
  it('a browser that crashes leaves its error with the agent session', async () => {
    const service_session_id = await driverSession();
    const id = await created({ service_session_id });
    const url = 'http://sim.test/crash';
    await client.call(`POST /v1/sessions/${service_session_id}/navigate`, { url });
    expect((await happens(id, 'ErrorRaised')).data).to.include({ code: 'driver_session_failed' });
  });
  it('a session that was closed by a process that died is cleaned up by another one', async () => {
    const [id, sessionId] = [await created(), await driverSession()];
    await spawned(id, await client.turn(id), sessionId);
    await client.decide(id, { type: 'Close', reason: 'budget-exhausted', at: now() });
    await until(async () => (await client.call(`GET /v1/sessions/${sessionId}/state`)).status === 410);
  });
});

import { expect } from 'chai';
import { createNodeCommands } from '../../commands/node/index.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { agentClient, type AgentClient } from '../testing/agent-client.ts';
import { startServiceWithProcesses, type ServiceWithProcesses } from '../testing/processes.ts';

describe('agent sessions on a node that begins to drain', () => {
  let service: ServiceWithProcesses;
  let client: AgentClient;
  beforeEach(async () => {
    service = await startServiceWithProcesses({ config: { SWEEP_INTERVAL: 20 } });
    client = agentClient(service, await service.staff.account('enterprise'));
  });
  afterEach(() => service.close());

  const driverSession = async () => String((await client.call('POST /v1/sessions', {})).json.id);
  const created = async (service_session_id?: string) =>
    String((await client.create(service_session_id === undefined ? {} : { service_session_id })).json.id);
  const drain = async () => {
    const nodes = createNodeCommands(service.ports);
    await nodes.drain(await service.node.registered, service.staff.context());
  };
  /** The announcements to an agent session, once there are as many. */
  const announced = (id: string, count = 1) =>
    until(async () => {
      const found = (await client.events(id)).filter(({ type }) => type === 'DrainAnnounced');
      return found.length === count && found.map(({ data }) => data as { readonly endsBy: string | null });
    });
  const entries = async (target: string) =>
    (await client.call(target)).json.data as readonly Readonly<Record<string, unknown>>[];

  it('have it in their stream, history and audit log, also if they take a driver session there later', async () => {
    const [service_session_id, other] = [await driverSession(), await driverSession()];
    const [holding, idle] = [await created(service_session_id), await created()];
    await drain();
    const [announcement] = await announced(holding);
    expect(announcement).to.deep.include({ sessionId: service_session_id, endsBy: null });
    await announced(await created(other));
    expect(await client.types(idle)).to.deep.equal(['AgentSessionCreated']);

    await service.caughtUp();
    const action = 'agent_session.drain_announced';
    const [latest] = await entries(`GET /v1/agent-sessions/${holding}/history`);
    expect(latest).to.deep.include({ action, actor: { kind: 'system', account_id: null } });
    const target = { type: 'agent_session', id: holding };
    const payload = { agent_session_id: holding, service_session_id, ends_by: null };
    const audited = await entries(`GET /v1/account/audit-log?action=${action}`);
    expect(
      audited.map(({ action: of, actor_type, target: on, payload: with_ }) => [of, actor_type, on, with_]),
    ).to.deep.include([action, 'system', target, payload]);
  });

  it('have the time until which their browser may run, once the node is stopped with a limit', async () => {
    const service_session_id = await driverSession();
    const id = await created(service_session_id);
    const startedAt = Date.now();
    const released = service.node.release(60_000);
    const [stopped] = await announced(id);
    const inMs = Date.parse(stopped?.endsBy ?? '') - startedAt;
    expect(inMs).to.be.within(59_000, 90_000);
    await client.call(`DELETE /v1/sessions/${service_session_id}`);
    await released;
  });

  it('have the time, too, if the node was drained before', async () => {
    const service_session_id = await driverSession();
    const id = await created(service_session_id);
    await drain();
    await announced(id);
    const released = service.node.release(60_000);
    const [drained, stopped] = await announced(id, 2);
    expect([drained?.endsBy, typeof stopped?.endsBy]).to.deep.equal([null, 'string']);
    await client.call(`DELETE /v1/sessions/${service_session_id}`);
    await released;
  });
});

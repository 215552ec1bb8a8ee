import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { RoomRequest } from '../../contracts/fleet/room.ts';
import { toId, uuidOf } from '../../contracts/ids.ts';
import { collect } from '../../infra/event-store/client/testing.ts';
import { nodeId, useStore } from '../session/testing.ts';
import { heartbeatKey } from './index.ts';
import { createAgentRooms } from './room.ts';
import { agentWorld, testSettings, type AgentWorld } from './testing.ts';

const opened = useStore();
let side: AgentWorld;
beforeEach(() => {
  side = agentWorld(opened.store);
});
/** `open` removes the test vault's prefix. */
const ports = () => ({
  ...side.ports,
  store: opened.store,
  vault: {
    open: async (_owner: string, _field: string, text: string) => ({ text: text.slice('sealed '.length) }),
  },
});
const otherNode = toId('node', randomUUID());
const pair = async () => side.created({ mode: 'pair', service_session_id: await side.driverSession() });
const request = (kind: RoomRequest['kind'], about: Partial<RoomRequest> = {}): RoomRequest => ({
  ...{ request_id: randomUUID(), kind, trigger: 'takeover', client_id: 'console' },
  participant: `customer-${randomUUID()}`,
  ...about,
});

describe('the room of an agent session', () => {
  it('shows who has the controls to the node of the browser, and to no other node', async () => {
    const rooms = createAgentRooms(ports());
    const { id } = await pair();
    const state = await rooms.look(nodeId, id);
    expect(state).to.deep.include({ status: 'active', mode: 'pair', epoch: 1, turn: null, links: [] });
    expect(state?.pair).to.include({ kind: 'ai-driving', client_id: null });
    expect(await rooms.look(otherNode, id)).to.equal(undefined);
    expect(await rooms.look(nodeId, toId('agentSession', randomUUID()))).to.equal(undefined);
  });
  it('is visible to any node while there is no browser, but accepts no request', async () => {
    const rooms = createAgentRooms(ports());
    const { id } = await side.created({ mode: 'pair' });
    expect((await rooms.look(otherNode, id))?.session_id).to.equal(null);
    expect(await rooms.ask(otherNode, id, request('takeover'))).to.equal(undefined);
    expect((await side.stateOf(id)).pair?.kind).to.equal('ai-driving');
  });
  it('lets a client request the controls, get them, and hand them back', async () => {
    const rooms = createAgentRooms(ports());
    const { id } = await pair();
    const participant = `customer-${randomUUID()}`;
    expect(await rooms.ask(nodeId, id, request('takeover', { participant }))).to.deep.equal({
      refused: null,
    });
    expect((await rooms.look(nodeId, id))?.pair).to.include({ kind: 'takeover-pending', participant });
    await rooms.ask(nodeId, id, request('grant', { client_id: 'another' }));
    expect((await side.stateOf(id)).pair?.kind).to.equal('takeover-pending');
    await rooms.ask(nodeId, id, request('grant'));
    expect((await side.stateOf(id)).pair).to.include({ kind: 'human-driving', clientId: 'console' });
    await rooms.ask(nodeId, id, request('handback', { client_id: 'another' }));
    expect((await side.stateOf(id)).pair?.kind).to.equal('human-driving');
    await rooms.ask(nodeId, id, request('handback'));
    expect((await side.stateOf(id)).pair?.kind).to.equal('handback-pending');
  });
  it('refuses every client but the first one that asked, and says so', async () => {
    const rooms = createAgentRooms(ports());
    const { id } = await pair();
    await rooms.ask(nodeId, id, request('takeover'));
    const answer = await rooms.ask(nodeId, id, request('takeover', { client_id: 'another' }));
    expect(answer).to.deep.equal({ refused: 'pair-mode-conflict' });
  });
  it('gives the controls to the reloaded page of the same participant', async () => {
    const rooms = createAgentRooms(ports());
    const { id } = await pair();
    const participant = `customer-${randomUUID()}`;
    await rooms.ask(nodeId, id, request('takeover', { participant }));
    await rooms.ask(nodeId, id, request('grant', { participant }));
    const again = { participant, client_id: 'console again' };
    expect(await rooms.ask(nodeId, id, request('takeover', again))).to.deep.equal({ refused: null });
    await rooms.ask(nodeId, id, request('grant', again));
    expect((await rooms.look(nodeId, id))?.pair).to.include({ kind: 'human-driving', ...again });
  });
  it('grants nothing if the deployment does not', async () => {
    const rooms = createAgentRooms({ ...ports(), settings: { ...testSettings, grants: false } });
    const { id } = await pair();
    await rooms.ask(nodeId, id, request('takeover'));
    expect(await rooms.ask(nodeId, id, request('grant'))).to.deep.equal({ refused: 'feature-unavailable' });
    expect((await side.stateOf(id)).pair?.kind).to.equal('takeover-pending');
  });
  it('records the heartbeat of a client', async () => {
    const rooms = createAgentRooms(ports());
    const { id } = await pair();
    await rooms.ask(nodeId, id, request('beat'));
    const last = await side.ports.heartbeats.last(heartbeatKey.client(id, 'console'));
    expect(last).to.equal(side.now());
  });
  it('records who touches the browser in manual mode, which is no heartbeat of a client', async () => {
    const rooms = createAgentRooms(ports());
    const service_session_id = await side.driverSession();
    const { id, accountId } = await side.created({ mode: 'manual', service_session_id });
    const participant = `customer-${randomUUID()}`;
    const touch = request('screen', { participant });
    expect(await rooms.ask(nodeId, id, touch)).to.deep.equal({ refused: null });
    await rooms.ask(nodeId, id, touch);
    await rooms.ask(nodeId, id, request('screen', { participant }));
    const api_key_id = toId('apiKey', randomUUID());
    await rooms.ask(
      nodeId,
      id,
      request('screen', { participant: `customer-${uuidOf(accountId)}`, api_key_id }),
    );
    const recorded = await collect(opened.store.readStream(`agent_session-${uuidOf(id)}`));
    expect(recorded.map(({ type }) => type)).to.deep.equal([
      'AgentSessionCreated',
      ...['ScreenTakenOver', 'ScreenTakenOver'],
    ]);
    expect(recorded[1]?.data).to.include({ participant });
    expect(recorded[1]?.metadata.actor).to.deep.equal({
      ...{ kind: 'user', account_id: accountId },
      actor_account_id: `acc_${participant.slice('customer-'.length)}`,
    });
    expect(recorded[2]?.metadata.actor).to.deep.equal({
      ...{ kind: 'api_key', account_id: accountId, actor_key_id: api_key_id },
    });
    expect(await side.ports.heartbeats.last(heartbeatKey.client(id, 'console'))).to.equal(null);
  });
  it('accepts requests only from the node of the browser', async () => {
    const rooms = createAgentRooms(ports());
    const { id } = await pair();
    for (const kind of ['takeover', 'grant', 'handback', 'beat', 'screen'] as const)
      expect(await rooms.ask(otherNode, id, request(kind)), kind).to.equal(undefined);
    expect((await side.stateOf(id)).pair?.kind).to.equal('ai-driving');
  });
  it('shows the steps of the running turn as the transcript will have them', async () => {
    const rooms = createAgentRooms(ports());
    const sessionId = await side.driverSession();
    const { id } = await side.created({ service_session_id: sessionId });
    const turnId = await side.turn(id);
    const step = {
      turnId,
      sealedInterrupted: 'sealed',
      heartbeatDueAt: side.now(),
      at: side.now(),
    };
    const usage = {
      decomposerKind: 'deterministic',
      model: null,
      inputTokens: null,
      outputTokens: null,
    } as const;
    await side.decide(id, {
      ...{ type: 'RecordDecomposition', ...step, round: 1, decision: 'plan', intents: 3, after: 'done' },
      ...{ sealedPlan: 'sealed', usage: { ...usage, costCents: null }, tokens: 0 },
    });
    const steps = async () => (await rooms.look(nodeId, id))?.turn?.steps;
    const settle = (index: number, result: object) =>
      side.decide(id, {
        ...{ type: 'SettleIntent', ...step, index, outcome: 'success', category: null },
        sealedResult: `sealed ${JSON.stringify(result)}`,
      });
    expect(await steps()).to.deep.equal([]);
    await settle(0, { kind: 'success', summary: 'Opened the shop.' });
    expect(await steps()).to.deep.equal(['Opened the shop.']);
    await settle(1, { kind: 'failure', reason: 'x'.repeat(600) });
    expect(await steps()).to.deep.equal(['Opened the shop.', `Failed: ${'x'.repeat(492)}`]);
    // Another process, without this one's cache, gives the same steps.
    expect((await createAgentRooms(ports()).look(nodeId, id))?.turn?.steps).to.deep.equal(await steps());
  });
});

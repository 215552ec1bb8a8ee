import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import pino from 'pino';
import { toId, uuidOf, type AccountId, type AgentSessionId, type SessionId } from '../../contracts/ids.ts';
import type { InputEvent } from '../../contracts/resources/pair-mode.ts';
import { openControlLine, openHands, Turns, type ControlLine } from '../../infra/fleet/hands/index.ts';
import { fakeSeat, personOf } from '../../infra/fleet/hands/testing/room.ts';
import type { Participant, Room } from '../../infra/fleet/video/room.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { startServiceWithProcesses, type ServiceWithProcesses } from '../testing/processes.ts';
import { agentClient, type AgentClient } from '../testing/agent-client.ts';

const logger = pino({ level: 'silent' });
const tap: InputEvent = { type: 'tap', x: 10, y: 20 };

describe('people in the room of an agent session, with the control plane', () => {
  let side: ServiceWithProcesses;
  /** Another process than the one that answers clients. */
  let own: Awaited<ReturnType<ServiceWithProcesses['serve']>>;
  let line: ControlLine;
  let client: AgentClient;
  let accountId: AccountId;
  before(async () => {
    side = await startServiceWithProcesses();
    const [node] = await side.ports.registry.list();
    const address = node && (await side.ports.registry.address(node.nodeId));
    if (!address) throw new Error('There is a node.');
    const { credential } = address;
    own = await side.serve();
    line = openControlLine({ url: `http://127.0.0.1:${own.port}`, credential, logger });
  });
  after(async () => {
    await line.close();
    await own.close();
    await side.close();
  });
  beforeEach(async () => {
    const account = await side.staff.account('agency');
    ({ accountId } = account);
    client = agentClient(side, account);
  });

  /** A room of an agent session on its node. */
  async function roomOf(mode: 'pair' | 'manual') {
    const session = String((await client.call('POST /v1/sessions', {})).json.id) as SessionId;
    const created = await client.create({ mode, service_session_id: session });
    const id = String(created.json.id) as AgentSessionId;
    const turns = new Turns();
    const seat = fakeSeat(session);
    const here = new Map<string, Participant>();
    const received: { topic: string; message: { epoch?: number; seq?: number; reason?: string } }[] = [];
    const gone: string[] = [];
    const room: Room = {
      name: id,
      participants: () => [...here.values()],
      send: (topic, payload) => {
        received.push({ topic, message: JSON.parse(new TextDecoder().decode(payload)) as { seq?: number } });
      },
      disconnect: (identity) => void gone.push(identity),
    };
    const seatOf = (asked: SessionId) => (asked === session ? seat : undefined);
    const events = openHands({ line, turns, logger, seatOf, leaveMs: 50 })(room);
    const epoch = () => received.findLast(({ topic }) => topic === 'control')?.message.epoch;
    let seq = 0;
    return {
      ...{ id, hands: seat.hands, gone },
      join: async (who: Participant) => {
        here.set(who.identity, who);
        events.joined(who);
        await until(async () => epoch() !== undefined);
        return who;
      },
      leave: (who: Participant, why: 'closed' | 'lost') => {
        here.delete(who.identity);
        events.left(who, why);
      },
      /** Sends input; resolves to its answer. */
      input: async (who: Participant, event: InputEvent = tap) => {
        seq += 1;
        const sent = seq;
        events.data(
          who,
          'input',
          new TextEncoder().encode(JSON.stringify({ seq, epoch: epoch(), event })),
          true,
        );
        const ack = await until(async () =>
          received.find(({ topic, message }) => topic === 'input-ack' && message.seq === sent),
        );
        return ack.message.reason ?? 'ok';
      },
    };
  }
  const driver = (client_id = 'a') =>
    personOf({ identity: `customer-${uuidOf(accountId)}`, attributes: { client_id } });
  const pairKind = async (id: string) => {
    const { json } = await client.call(`POST /v1/agent-sessions/${id}/takeover`, { client_id: 'a' });
    return (json.pair_mode_state as { kind: string } | undefined)?.kind;
  };
  const happens = (id: string, wanted: string) =>
    until(async () => (await client.events(id)).find(({ type }) => type === wanted));

  it('touch a manual session at once', async () => {
    const room = await roomOf('manual');
    const who = await room.join(personOf());
    expect(await room.input(who)).to.equal('ok');
    expect(room.hands.felt).to.deep.equal(['down 0 10,20', 'up 0 10,20']);
  });

  it('are in the audit log of the owner of a manual session, each once until another one touches it', async () => {
    const room = await roomOf('manual');
    const [member, owner] = [await room.join(personOf()), await room.join(driver())];
    for (const who of [member, member, owner, owner]) expect(await room.input(who)).to.equal('ok');
    const people = [member, owner].map(({ identity }) => identity);
    const recorded = () =>
      until(async () => {
        const found = (await client.events(room.id)).filter(({ type }) => type === 'ScreenTakenOver');
        return found.length >= people.length && found;
      });
    expect(
      (await recorded()).map(({ data }) => (data as { participant?: string }).participant),
    ).to.deep.equal(people);
    await side.caughtUp();
    const { json } = await client.call('GET /v1/account/audit-log?action=agent_session.manual.takeover');
    const entries = json.data as readonly Readonly<Record<string, unknown>>[];
    expect(entries.map(({ actor_type, actor_account_id }) => [actor_type, actor_account_id])).to.deep.equal([
      ['user', undefined],
      ['user', toId('account', member.identity.slice('customer-'.length))],
    ]);
    expect(entries.at(-1)).to.deep.include({
      payload: { agent_session_id: room.id, participant: people[0] },
    });
  });

  it('get the controls that they asked for when the page is loaded again meanwhile', async () => {
    const room = await roomOf('pair');
    const who = await room.join(driver());
    expect(await room.input(who)).to.equal('asked');
    room.leave(who, 'closed');
    const again = await room.join(driver('b'));
    await until(async () => (await room.input(again)) === 'ok');
    expect(room.hands.felt).to.deep.equal(['down 0 10,20', 'up 0 10,20']);
  });

  it('take over by their first touch, drive, and give back by closing the tab', async () => {
    const room = await roomOf('pair');
    const who = await room.join(driver());
    expect(await room.input(who)).to.equal('asked');
    await happens(room.id, 'TakeoverGranted');
    await until(async () => (await room.input(who)) === 'ok');
    expect(await pairKind(room.id)).to.equal('human-driving');
    room.leave(who, 'closed');
    await happens(room.id, 'HandbackCompleted');
    const takeover = (await client.events(room.id)).find(({ type }) => type === 'TakeoverRequested');
    expect(takeover?.metadata.actor).to.include({ kind: 'user', account_id: accountId });
  });

  it('get what they asked for over HTTP as soon as they are in the room', async () => {
    const room = await roomOf('pair');
    await client.on(room.id, 'takeover', { client_id: 'a' });
    expect(await client.types(room.id)).not.to.include('TakeoverGranted');
    const who = await room.join(driver());
    await happens(room.id, 'TakeoverGranted');
    await until(async () => (await room.input(who)) === 'ok');
    expect((await client.on(room.id, 'handback')).status).to.equal(200);
    await happens(room.id, 'HandbackCompleted');
  });

  it('are named by a takeover over HTTP where their attributes name no client', async () => {
    const room = await roomOf('pair');
    const who = await room.join(personOf());
    await client.on(room.id, 'takeover', { client_id: 'a', participant: who.identity });
    await happens(room.id, 'TakeoverGranted');
    const wrong = await client.on(room.id, 'takeover', { client_id: 'a', participant: 'unknown' });
    expect(wrong.status).to.equal(400);
  });

  it('get what a client asked for without naming them, once it names them', async () => {
    const room = await roomOf('pair');
    const first = await client.on(room.id, 'takeover', { client_id: 'a' });
    const who = await room.join(personOf());
    const named = await client.on(room.id, 'takeover', { client_id: 'a', participant: who.identity });
    expect(named.json).to.deep.equal(first.json);
    await happens(room.id, 'TakeoverGranted');
  });

  it('touch nothing before the turn has ended that was running when they asked', async () => {
    const room = await roomOf('pair');
    const turnId = await client.turn(room.id);
    const who = await room.join(driver());
    expect(await room.input(who)).to.equal('asked');
    await until(async () => (await room.input(who)) === 'pending');
    expect(await client.types(room.id)).not.to.include('TakeoverGranted');
    const at = new Date().toISOString();
    const step = { turnId, sealedInterrupted: 'sealed', heartbeatDueAt: at, at };
    await client.decide(room.id, { type: 'ContinueTurn', ...step });
    await happens(room.id, 'TakeoverGranted');
    const types = await client.types(room.id);
    expect(types.indexOf('TurnSuperseded')).to.be.below(types.indexOf('TakeoverGranted'));
    await until(async () => (await room.input(who)) === 'ok');
    expect(room.hands.felt).to.deep.equal(['down 0 10,20', 'up 0 10,20']);
  });

  it('touch nothing under a state of control that has passed', async () => {
    const room = await roomOf('manual');
    const who = await room.join(personOf());
    expect(await room.input(who)).to.equal('ok');
    await client.on(room.id, 'mode', { mode: 'ai' });
    await until(async () => (await room.input(who)) !== 'ok');
    const felt = room.hands.felt.length;
    expect(await room.input(who)).to.equal('agent-drives');
    expect(room.hands.felt.length).to.equal(felt);
    await client.close(room.id);
    await until(async () => (await room.input(who)) === 'closed');
  });

  it('are disconnected when the link is taken back that they came by', async () => {
    const room = await roomOf('manual');
    const { id: linkId } = (await client.on(room.id, 'links', { right: 'control' })).json;
    const guest = await room.join(personOf({ identity: String(linkId), linkId: String(linkId) }));
    expect(await room.input(guest)).to.equal('ok');
    expect(room.gone).to.deep.equal([]);
    await client.call(`DELETE /v1/agent-sessions/${room.id}/links/${String(linkId)}`);
    await until(async () => room.gone.includes(String(linkId)));
  });

  it('are empty for a node that does not have the browser, or does not exist', async () => {
    const room = await roomOf('pair');
    const about = { request_id: randomUUID(), kind: 'takeover', trigger: 'takeover', client_id: 'a' };
    const body = { ...about, participant: `customer-${uuidOf(accountId)}` };
    const path = `/internal/fleet/rooms/${room.id}`;
    for (const token of ['another-node', undefined])
      expect((await own.call(`POST ${path}`, { body, ...(token && { token }) })).status).to.equal(401);
    expect((await own.call(`GET ${path}`, { token: 'another-node' })).status).to.equal(401);
    expect(
      await line.ask(toId('agentSession', randomUUID()), { ...body, kind: 'takeover', trigger: 'takeover' }),
    ).to.equal('not-found');
    expect(await client.types(room.id)).to.deep.equal(['AgentSessionCreated']);
  });
});

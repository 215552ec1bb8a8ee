import { expect } from 'chai';
import { heartbeatKey } from '../../commands/agent-session/index.ts';
import { memoryHeartbeats } from '../../commands/agent-session/testing.ts';
import { systemClock } from '../../infra/platform/clock.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';
import { agentClient, slugOf, type AgentClient } from '../testing/agent-client.ts';

const signs = memoryHeartbeats(systemClock);
let reads = 0;
let side: WriteSide;
let client: AgentClient;
before(async () => {
  side = await startWriteSide({
    heartbeats: signs,
    throughStore: (store) => ({
      ...store,
      append: (...args) => store.append(...args),
      setStreamMetadata: (...args) => store.setStreamMetadata(...args),
      subscribe: (...args) => store.subscribe(...args),
      readAll: (...args) => store.readAll(...args),
      readStream: (...args) => {
        reads += 1;
        return store.readStream(...args);
      },
    }),
  });
});
after(() => side.close());
beforeEach(async () => {
  client = agentClient(side, await side.staff.account('enterprise'));
});

const created = async (mode: string) => String((await client.create({ mode })).json.id);
const tap = { type: 'tap', x: 10, y: 20 };
const input = (id: string, body: object) => client.on(id, 'input-event', body);

describe('POST /v1/agent-sessions/{id}/input-event', () => {
  it('asks for the controls with the first event, and with no other', async () => {
    const id = await created('pair');
    const first = await input(id, { event: tap, client_id: 'a' });
    expect([first.status, first.json.kind]).to.deep.equal([200, 'pair-mode-takeover-fired']);
    expect(first.json.pair_mode_state).to.include({ kind: 'takeover-pending', requestedByClientId: 'a' });
    const second = await input(id, { event: tap, client_id: 'a' });
    expect([second.status, slugOf(second)]).to.deep.equal([503, 'feature-unavailable']);
    expect((await client.events(id)).at(-1)?.data).to.include({ trigger: 'input_event' });
  });
  it('queues behind a turn', async () => {
    const id = await created('pair');
    await client.turn(id);
    const { json } = await input(id, { event: tap, client_id: 'a' });
    expect(json.kind).to.equal('pair-mode-takeover-fired');
    expect(json.pair_mode_state).to.include({ kind: 'takeover-queued' });
  });
  it('goes to exactly one of several first events', async () => {
    const id = await created('pair');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => input(id, { event: tap, client_id: `client-${index}` })),
    );
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect([answer.status, slugOf(answer)]).to.deep.equal([409, 'pair-mode-conflict']);
  });
  it('asks once, however many first events a client sends at the same time', async () => {
    const id = await created('pair');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => input(id, { event: tap, client_id: 'a' })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([200, ...Array.from({ length: 9 }, () => 503)]);
  });
  it('needs its client in pair mode, and says which field is missing', async () => {
    const answer = await input(await created('pair'), { event: tap });
    expect([answer.status, slugOf(answer)]).to.deep.equal([400, 'validation-failed']);
    expect(answer.json.errors).to.deep.include({
      path: '/body/client_id',
      code: 'required',
      message: 'client_id is required in pair mode.',
    });
  });
  it('is refused to any client but the one that asked or drives', async () => {
    const id = await created('pair');
    await client.on(id, 'takeover', { client_id: 'a' });
    const answer = await input(id, { event: tap, client_id: 'b' });
    expect([answer.status, slugOf(answer)]).to.deep.equal([409, 'pair-mode-conflict']);
    expect(answer.json.winner_client_id).to.equal('a');
  });
  it('is not carried out in manual mode, with or without a client', async () => {
    const id = await created('manual');
    for (const body of [{ event: tap }, { event: tap, client_id: 'a' }]) {
      const answer = await input(id, body);
      expect([answer.status, slugOf(answer)]).to.deep.equal([503, 'feature-unavailable']);
    }
  });
  it('is a conflict in ai mode, and when the session is not active', async () => {
    const closed = await created('pair');
    await client.close(closed);
    for (const id of [await created('ai'), closed]) {
      const answer = await input(id, { event: tap, client_id: 'a' });
      expect([answer.status, slugOf(answer)]).to.deep.equal([409, 'conflict']);
    }
  });

  const events = [
    { type: 'mouseMove', x: 1.5, y: 2 },
    { type: 'mouseDown', x: 1, y: 2, button: 0 },
    { type: 'mouseUp', x: 1, y: 2, button: 2 },
    { type: 'keyDown', key: 'a', modifiers: ['cmd', 'shift'] },
    { type: 'keyDown', key: 'a' },
    { type: 'keyUp', key: 'a' },
    { type: 'wheel', x: 1, y: 2, deltaX: 0, deltaY: -3 },
    tap,
    { type: 'touchStart', x: 1, y: 2, touchId: 0 },
    { type: 'touchMove', x: 1, y: 2, touchId: 9 },
    { type: 'touchEnd', x: 1, y: 2, touchId: 9 },
    { type: 'swipe', x1: 1, y1: 2, x2: 3, y2: 4, durationMs: 60_000 },
    { type: 'ping', timestamp: 1_767_614_400_000 },
  ];
  it('takes every kind of event', async () => {
    const id = await created('manual');
    for (const event of events)
      expect((await input(id, { event })).status, JSON.stringify(event)).to.equal(503);
  });
  it('takes no other', async () => {
    const id = await created('manual');
    const malformed = [
      undefined,
      { type: 'drag', x: 1, y: 2 },
      { type: 'mouseDown', x: 1, y: 2, button: 3 },
      { type: 'keyDown', key: 'a', modifiers: ['alt'] },
      { type: 'touchStart', x: 1, y: 2, touchId: 10 },
      { type: 'swipe', x1: 1, y1: 2, x2: 3, y2: 4, durationMs: 60_001 },
      { type: 'ping', timestamp: 1.5 },
      { type: 'tap', x: '1', y: 2 },
    ];
    for (const event of malformed) {
      const answer = await input(id, { event });
      expect([answer.status, slugOf(answer)], JSON.stringify(event)).to.deep.equal([
        400,
        'validation-failed',
      ]);
    }
  });
  it('is a heartbeat of the client that waits for the controls', async () => {
    const id = await created('pair');
    await client.on(id, 'takeover', { client_id: 'a' });
    const key = heartbeatKey.client(id as `agt_${string}`, 'a');
    const before = String(await signs.last(key));
    await input(id, { event: { type: 'ping', timestamp: 1 }, client_id: 'a' });
    expect(Date.parse(String(await signs.last(key)))).to.be.at.least(Date.parse(before));
    expect(await signs.last(heartbeatKey.client(id as `agt_${string}`, 'b'))).to.equal(null);
  });
  it('appends nothing and hardly reads the log, however many there are', async () => {
    const id = await created('pair');
    await client.on(id, 'takeover', { client_id: 'a' });
    const before = (await client.types(id)).length;
    await input(id, { event: tap, client_id: 'a' });
    const [readsBefore, startedAt] = [reads, performance.now()];
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => input(id, { event: tap, client_id: 'a' })),
    );
    const elapsed = performance.now() - startedAt;
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([503]));
    // Four reads of the session's state per second, and those for the credential.
    expect(reads - readsBefore).to.be.below(20 + elapsed / 50);
    expect((await client.types(id)).length).to.equal(before);
  });
  it('sees what another process has changed within a moment', async () => {
    const id = await created('ai');
    expect((await input(id, { event: tap, client_id: 'a' })).status).to.equal(409);
    await client.decide(id, { type: 'ChangeMode', mode: 'manual', at: new Date().toISOString() });
    const giveUpAt = performance.now() + 10_000;
    let answer = await input(id, { event: tap });
    while (answer.status === 409 && performance.now() < giveUpAt) answer = await input(id, { event: tap });
    expect(answer.status).to.equal(503);
  });
});

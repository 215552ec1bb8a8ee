import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId } from '../../../contracts/ids.ts';
import type { InputEvent } from '../../../contracts/resources/pair-mode.ts';
import { until } from '../../verification/testbed/index.ts';
import { answered, fakeRoom, pairOf, personOf, sessionId, stateOf } from './testing/room.ts';

const start = (x: number, y: number, touchId = 0): InputEvent => ({ type: 'touchStart', x, y, touchId });
const move = (x: number, y: number, touchId = 0): InputEvent => ({ type: 'touchMove', x, y, touchId });
const end = (x: number, y: number, touchId = 0): InputEvent => ({ type: 'touchEnd', x, y, touchId });
const tap: InputEvent = { type: 'tap', x: 10, y: 20 };

describe('hands in manual mode', () => {
  it('touch in the order of arrival, and every event is answered', async () => {
    const room = fakeRoom(stateOf());
    const who = room.join(personOf());
    room.input(who, start(10, 20));
    room.input(who, move(10, 40));
    const last = room.input(who, end(10, 40));
    expect(await answered(room, last)).to.equal('ok');
    expect(room.hands.felt).to.deep.equal(['down 0 10,20', 'move 0 10,40', 'up 0 10,40']);
  });
  it('pinch with two fingers, and refuse a third one', async () => {
    const room = fakeRoom(stateOf());
    const who = room.join(personOf());
    room.input(who, start(100, 100, 3));
    room.input(who, start(200, 100, 7));
    const third = room.input(who, start(300, 100, 9));
    room.input(who, move(90, 100, 3));
    const last = room.input(who, end(210, 100, 7));
    await answered(room, last);
    expect(room.reasonOf(third)).to.equal('too-many-fingers');
    expect(room.hands.felt).to.deep.equal([
      'down 0 100,100',
      'down 1 200,100',
      'move 0 90,100',
      'up 1 210,100',
    ]);
  });
  it('are refused outside of the screen, and for a finger that is not down', async () => {
    const room = fakeRoom(stateOf());
    const who = room.join(personOf());
    const below: InputEvent = { type: 'tap', x: 10, y: 664 };
    const wrong = [start(390, 10), start(10, -1), below, move(1, 1), end(1, 1)].map((event) =>
      room.input(who, event),
    );
    await answered(room, wrong.at(-1) ?? null);
    expect(wrong.map(room.reasonOf)).to.deep.equal(['outside', 'outside', 'outside', 'no-touch', 'no-touch']);
    expect(room.hands.felt).to.deep.equal([]);
  });
  it('keep a finger that slides off the screen at its edge, so that it can be lifted', async () => {
    const room = fakeRoom(stateOf());
    const who = room.join(personOf());
    room.input(who, start(380, 10));
    room.input(who, move(500, -20));
    await answered(room, room.input(who, end(600, 10)));
    expect(room.hands.felt).to.deep.equal(['down 0 380,10', 'move 0 389,0', 'up 0 389,10']);
  });
  it('tap, swipe, turn a wheel, press keys and enter text', async () => {
    const room = fakeRoom(stateOf());
    const who = room.join(personOf());
    room.input(who, tap);
    room.input(who, { type: 'swipe', x1: 10, y1: 100, x2: 10, y2: 50, durationMs: 32 });
    room.input(who, { type: 'wheel', x: 50, y: 600, deltaX: 0, deltaY: 100 });
    room.input(who, { type: 'keyDown', key: 'a', modifiers: ['shift'] });
    room.input(who, { type: 'keyUp', key: 'a' });
    room.input(who, { type: 'keyDown', key: 'é' });
    room.input(who, { type: 'text', text: 'привет' });
    const last = room.input(who, { type: 'paste', text: 'much' });
    expect(await answered(room, last)).to.equal('ok');
    const { felt } = room.hands;
    expect(felt.slice(0, 2)).to.deep.equal(['down 0 10,20', 'up 0 10,20']);
    expect(felt.slice(2, 6)).to.deep.equal(['down 0 10,100', 'move 0 10,75', 'move 0 10,50', 'up 0 10,50']);
    expect(felt.slice(-7)).to.deep.equal([
      ...['move 0 50,500', 'up 0 50,500', 'key shift+a', 'key up a'],
      ...['text of 1', 'text of 6', 'paste of 4'],
    ]);
  });
  it('share one screen: a touch takes it over, and the fingers of the former participant are lifted', async () => {
    const room = fakeRoom(stateOf());
    const [one, other] = [room.join(personOf()), room.join(personOf())];
    await answered(room, room.input(one, start(10, 10)));
    await answered(room, room.input(other, start(20, 20)));
    const idle = [
      [move(10, 20), 'no-touch'],
      [end(10, 10), 'no-touch'],
      [start(-1, -1), 'outside'],
      [{ type: 'ping', timestamp: 1 }, 'ok'],
      [{ type: 'mouseMove', x: 5, y: 5 }, 'ok'],
      [{ type: 'keyUp', key: 'a' }, 'ok'],
    ] as const satisfies readonly (readonly [InputEvent, string])[];
    for (const [event, reason] of idle)
      expect(await answered(room, room.input(one, event)), event.type).to.equal(reason);
    await answered(room, room.input(other, end(20, 20)));
    expect(room.hands.felt).to.deep.equal(['down 0 10,10', 'lift', 'down 0 20,20', 'up 0 20,20']);
    const owners = room.controls().map(({ last_touched_by }) => last_touched_by);
    expect(owners).to.include(one.identity);
    expect(owners.at(-1)).to.equal(other.identity);
  });
  it('lift all fingers when their participant leaves, and drop its later events', async () => {
    const room = fakeRoom(stateOf());
    const [who, other] = [room.join(personOf()), room.join(personOf())];
    await answered(room, room.input(who, start(10, 10)));
    room.leave(who, 'lost');
    await until(async () => room.hands.felt.includes('lift'));
    room.input(who, move(10, 20));
    await answered(room, room.input(other, tap));
    expect(room.hands.felt).to.deep.equal(['down 0 10,10', 'lift', 'down 0 10,20', 'up 0 10,20']);
  });
});

describe('input is refused', () => {
  const refusals = [
    ['from a token that only allows watching', stateOf(), personOf({ right: 'watch' }), 'watching'],
    ['in the mode ai', stateOf({ mode: 'ai' }), personOf(), 'agent-drives'],
    ['while the session is paused', stateOf({ status: 'paused' }), personOf(), 'paused'],
    ['once the session is closed', stateOf({ status: 'closed' }), personOf(), 'closed'],
    ['without a browser', stateOf({ session_id: null }), personOf(), 'no-browser'],
    ['without a state from the control plane', undefined, personOf(), 'no-contact'],
    ['in pair mode without a client id', stateOf(pairOf('ai-driving')), personOf(), 'client-required'],
  ] as const;
  for (const [what, state, who, reason] of refusals)
    it(what, async () => {
      const room = fakeRoom(state);
      room.join(who);
      expect(await answered(room, room.input(who, tap))).to.equal(reason);
      expect([room.hands.felt, room.asked]).to.deep.equal([[], []]);
    });

  it('under any epoch but the current one, older or newer', async () => {
    const room = fakeRoom(stateOf({ epoch: 5 }));
    const who = room.join(personOf());
    const seqs = [4, 6].map((epoch) => room.input(who, tap, { epoch }));
    await answered(room, seqs[1] ?? null);
    expect(seqs.map(room.reasonOf)).to.deep.equal(['old-epoch', 'old-epoch']);
    expect(room.hands.felt).to.deep.equal([]);
  });
  it('once control changes, even if it is queued; fingers are lifted', async () => {
    const room = fakeRoom(stateOf());
    const who = room.join(personOf());
    await answered(room, room.input(who, start(10, 10), { time: 1_000 }));
    const onItsWay = room.input(who, move(10, 90), { time: 1_080 });
    room.say(stateOf({ mode: 'ai', epoch: 2 }));
    expect(await answered(room, onItsWay)).to.equal('agent-drives');
    expect(room.hands.felt).to.deep.equal(['down 0 10,10', 'lift']);
  });
  it('while the control plane is unreachable; fingers are lifted', async () => {
    const room = fakeRoom(stateOf());
    const who = room.join(personOf());
    await answered(room, room.input(who, start(10, 10)));
    room.say(undefined);
    expect(await answered(room, room.input(who, move(10, 20)))).to.equal('no-contact');
    expect(room.hands.felt).to.deep.equal(['down 0 10,10', 'lift']);
    room.say(stateOf());
    expect(await answered(room, room.input(who, tap))).to.equal('ok');
  });
  it('during an operation, before which fingers are lifted', async () => {
    const room = fakeRoom(stateOf());
    const who = room.join(personOf());
    await answered(room, room.input(who, start(10, 10)));
    let finish: () => void = () => undefined;
    const operation = room.turns.operate(sessionId, () => new Promise<void>((resolve) => (finish = resolve)));
    await until(async () => room.hands.felt.includes('lift'));
    expect(await answered(room, room.input(who, tap))).to.equal('busy');
    finish();
    await operation;
    expect(await answered(room, room.input(who, tap))).to.equal('ok');
    expect(room.hands.felt).to.deep.equal(['down 0 10,10', 'lift', 'down 0 10,20', 'up 0 10,20']);
  });
  it('in the room of a session without an agent session, with an answer to each event', async () => {
    const refused: (string | null)[] = [];
    const room = fakeRoom(stateOf(), { onInput: (reason) => void refused.push(reason) }, sessionId);
    const who = room.join(personOf({ right: 'watch' }));
    const seq = room.input(who, tap);
    expect(room.reasonOf(seq)).to.equal('watching');
    room.data(who, 'control', { seq: 7, type: 'copy' });
    expect(room.reasonOf(7)).to.equal('watching');
    room.data(who, 'input', { seq: 8, event: 'tap' });
    expect(room.reasonOf(8)).to.equal('malformed');
    room.data(who, 'cursor', { seq: 9 });
    room.leave(who, 'closed');
    room.data(who, 'control', { seq: 10, type: 'copy' });
    expect(room.acks()).to.have.length(3);
    expect(refused).to.deep.equal(['watching', 'malformed']);
    expect(room.hands.felt).to.deep.equal([]);
  });
  it('from a revoked link, whose participant is disconnected', () => {
    const linkId = toId('link', randomUUID());
    const link = { id: linkId, right: 'control' as const, expires_at: '2026-01-05T13:00:00.000Z' };
    const room = fakeRoom(stateOf({ links: [link] }));
    room.join(personOf({ identity: linkId, linkId }));
    expect(room.disconnected).to.deep.equal([]);
    room.say(stateOf());
    expect(room.disconnected).to.deep.equal([linkId]);
  });
});

describe('input', () => {
  it('is answered and has no effect if it is malformed', async () => {
    const room = fakeRoom(stateOf());
    const who = room.join(personOf());
    const garbage = [
      '',
      '{',
      'null',
      '[]',
      '{"seq":1}',
      `{"seq":2,"epoch":1,"event":{"type":"tap","x":"1","y":2}}`,
    ];
    for (const text of garbage) room.events.data(who, 'input', new TextEncoder().encode(text), true);
    room.events.data(who, 'input', new Uint8Array([0xff, 0xfe, 0]), true);
    room.events.data(who, 'input', new Uint8Array(63_000), true);
    room.events.data(who, 'no-topic', new TextEncoder().encode('{}'), true);
    await until(async () => room.acks().length === garbage.length + 2);
    expect(new Set(room.acks().map((ack) => ('reason' in ack ? ack.reason : 'ok')))).to.deep.equal(
      new Set(['malformed']),
    );
    expect([room.reasonOf(1), room.reasonOf(2)]).to.deep.equal(['malformed', 'malformed']);
    expect(room.hands.felt).to.deep.equal([]);
  });
  it('is refused above a rate that no person reaches', async () => {
    const room = fakeRoom(stateOf());
    const who = room.join(personOf());
    for (let n = 0; n < 10_000; n += 1) room.input(who, { type: 'ping', timestamp: n });
    await until(async () => room.acks().filter((ack) => 'ok' in ack).length >= 240);
    expect(room.acks().length).to.be.below(400);
    expect(room.reasonOf(null)).to.equal('too-many');
  });
  it('is dropped if it is a move and a newer move is queued', async () => {
    const room = fakeRoom(stateOf());
    const who = room.join(personOf());
    await answered(room, room.input(who, start(10, 10), { time: 0 }));
    const first = room.input(who, move(10, 20), { time: 60 }, 'input-moves');
    const second = room.input(who, move(10, 30), { time: 70 }, 'input-moves');
    expect(await answered(room, second)).to.equal('ok');
    expect(room.reasonOf(first)).to.equal('newer-move');
    room.data(who, 'input-moves', { seq: 1, epoch: 1, event: move(10, 12) });
    await until(async () => room.acks().filter(({ seq }) => seq === 1).length === 2);
    expect(room.hands.felt).to.deep.equal(['down 0 10,10', 'move 0 10,30']);
  });
});

describe('the room', () => {
  it('follows the agent session only while it has participants', () => {
    const room = fakeRoom(stateOf());
    const [one, other] = [room.join(personOf()), room.join(personOf())];
    expect(room.answers.following).to.equal(1);
    room.leave(one, 'closed');
    expect(room.answers.following).to.equal(1);
    room.leave(other, 'closed');
    expect(room.answers.following).to.equal(0);
  });
  it('sends the state of control and of the page to a new participant, and changes to all', async () => {
    const room = fakeRoom(stateOf(pairOf('ai-driving')));
    const who = room.join(personOf());
    expect(room.controls()[0]).to.deep.include({ mode: 'pair', epoch: 1, status: 'active' });
    await until(async () => room.sent.some(({ topic }) => topic === 'page'));
    const late = room.join(personOf());
    const told = room.sent.filter(({ to }) => to?.includes(late.identity)).map(({ topic }) => topic);
    expect(told).to.deep.equal(['control', 'page']);
    const turn = {
      turn_id: randomUUID(),
      phase: 'executing',
      round: 1,
      intents: 2,
      settled: 1,
      steps: ['Opened it.'],
    };
    room.say(stateOf({ ...pairOf('ai-driving'), turn }));
    expect(room.sent.at(-1)).to.deep.equal({ topic: 'turn', message: turn, to: undefined });
    expect(who.identity).not.to.equal(late.identity);
  });
  it('announces the point that an operation will touch and, afterwards, the element there', async () => {
    const room = fakeRoom(stateOf(pairOf('ai-driving')));
    room.join(personOf());
    const element = { selector: '#pay', role: 'button', text: 'Pay' };
    room.hands.aimAt({ x: 10, y: 20, in_ms: 200 });
    room.turns.met(sessionId, element);
    // An element without a preceding touch is not reported.
    room.turns.met(sessionId, element);
    room.hands.aimAt({ x: 30, y: 40, in_ms: 200 });
    room.turns.met(sessionId, undefined);
    const cursors = room.sent.filter(({ topic }) => topic === 'cursor').map(({ message }) => message);
    expect(cursors[0]).to.deep.equal({ x: 10, y: 20, in_ms: 200, met: null });
    expect(cursors[1]).to.deep.equal({ x: 10, y: 20, in_ms: 0, met: { role: 'button', text: 'Pay' } });
    expect(cursors.at(-1)).to.deep.equal({ x: 30, y: 40, in_ms: 0, met: null });
  });
  it('counts each event with its outcome', async () => {
    const counted: (string | null)[] = [];
    const room = fakeRoom(stateOf(), { onInput: (reason) => void counted.push(reason) });
    const who = room.join(personOf());
    room.data(who, 'input', { seq: 1 });
    room.input(who, tap, { epoch: 9 });
    await answered(room, room.input(who, tap));
    await answered(room, room.input(who, move(1, 1)));
    expect(counted).to.deep.equal(['malformed', 'old-epoch', null, 'no-touch']);
  });
});

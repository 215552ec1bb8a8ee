import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import { toId } from '../../../contracts/ids.ts';
import type { InputEvent } from '../../../contracts/resources/pair-mode.ts';
import { until } from '../../verification/testbed/index.ts';
import type { Participant } from '../video/room.ts';
import { answered, fakeRoom, pairOf, personOf, stateOf } from './testing/room.ts';

const tap: InputEvent = { type: 'tap', x: 10, y: 20 };

describe('hands in pair mode', () => {
  const participant = `customer-${randomUUID()}`;
  const me = personOf({ identity: participant, attributes: { client_id: 'a' } });

  it('request control with the first event, which is itself not carried out', async () => {
    const room = fakeRoom(stateOf(pairOf('ai-driving')));
    room.join(me);
    expect(await answered(room, room.input(me, tap))).to.equal('asked');
    expect(room.asked).to.have.lengthOf(1);
    expect(room.asked[0]).to.include({
      kind: 'takeover',
      trigger: 'input_event',
      client_id: 'a',
      participant,
    });
    expect(room.hands.felt).to.deep.equal([]);
  });
  it('grant control once to the client that requested it, when it is present', async () => {
    const room = fakeRoom(stateOf(pairOf('takeover-pending', 'a')));
    room.join(personOf({ attributes: { client_id: 'b' } }));
    expect(room.asked).to.deep.equal([]);
    room.join(me);
    await until(async () => room.asked.length > 0);
    room.say(stateOf({ ...pairOf('takeover-pending', 'a'), turn: null }));
    expect(room.asked.map(({ kind, client_id }) => [kind, client_id])).to.deep.equal([['grant', 'a']]);
  });
  it('grant nothing while a turn runs, while the session is paused, without a request, or to a watcher', () => {
    for (const state of [
      stateOf(pairOf('takeover-queued', 'a')),
      stateOf({ ...pairOf('takeover-pending', 'a'), status: 'paused' }),
      stateOf(pairOf('ai-driving')),
    ]) {
      const room = fakeRoom(state);
      room.join(me);
      expect(room.asked).to.deep.equal([]);
    }
    const room = fakeRoom(stateOf(pairOf('takeover-pending', 'a')));
    room.join({ ...me, right: 'watch' });
    expect(room.asked).to.deep.equal([]);
  });
  it('ignore the client id that a participant with a link claims', async () => {
    const linkId = toId('link', randomUUID());
    const link = { id: linkId, right: 'control' as const, expires_at: '2026-01-05T13:00:00.000Z' };
    const guest = personOf({ identity: linkId, linkId, attributes: { client_id: 'a' } });
    const room = fakeRoom(stateOf({ ...pairOf('takeover-pending', 'a'), links: [link] }));
    room.join(guest);
    expect(room.asked).to.deep.equal([]);
    room.say(stateOf({ ...pairOf('human-driving', 'a'), links: [link] }));
    expect(await answered(room, room.input(guest, tap))).to.equal('other-client');
    room.say(stateOf({ ...pairOf('human-driving', 'a', linkId), links: [link] }));
    expect(await answered(room, room.input(guest, tap))).to.equal('ok');
  });
  it('carry out the events of the driving client only', async () => {
    const room = fakeRoom(stateOf(pairOf('human-driving', 'a', participant)));
    const other = room.join(personOf({ attributes: { client_id: 'b' } }));
    const thief = room.join(personOf({ attributes: { client_id: 'a' } }));
    room.join(me);
    expect(await answered(room, room.input(other, tap))).to.equal('other-client');
    expect(await answered(room, room.input(thief, tap))).to.equal('other-client');
    expect(room.hands.felt).to.deep.equal([]);
    expect(await answered(room, room.input(me, tap))).to.equal('ok');
  });
  describe('where a client has requested control without a participant', () => {
    const unnamed = { ...me, attributes: {} };
    const requested = stateOf(pairOf('takeover-pending', 'a'));

    it('are its hands once a message of a participant names it', async () => {
      for (const kind of ['takeover-pending', 'takeover-queued'] as const) {
        const room = fakeRoom(stateOf(pairOf(kind, 'a')));
        room.join(unnamed);
        room.data(unnamed, 'control', { seq: 60, type: 'takeover', client_id: 'a' });
        expect(await answered(room, 60)).to.equal('ok');
        expect(await answered(room, room.input(unnamed, tap, { client_id: 'a' }))).to.equal('asked');
        expect(room.asked[0]).to.include({ kind: 'takeover', client_id: 'a', participant });
        expect(room.hands.felt).to.deep.equal([]);
      }
    });
    it('are granted control after that', async () => {
      const room = fakeRoom(requested);
      room.join(unnamed);
      room.data(unnamed, 'control', { seq: 61, type: 'takeover', client_id: 'a' });
      await answered(room, 61);
      room.say(stateOf({ ...pairOf('takeover-pending', 'a', participant), epoch: 2 }));
      expect(room.asked.map(({ kind, client_id }) => [kind, client_id])).to.deep.equal([
        ['takeover', 'a'],
        ['grant', 'a'],
      ]);
    });
    it('stay those of a participant whose attributes name the client, or that the takeover named', async () => {
      const named = stateOf(pairOf('takeover-pending', 'a', participant));
      for (const state of [requested, named, stateOf(pairOf('human-driving', 'a'))]) {
        const room = fakeRoom(state);
        room.join(me);
        const thief = room.join(personOf());
        expect(await answered(room, room.input(thief, tap, { client_id: 'a' }))).to.equal('other-client');
        room.data(thief, 'control', { seq: 62, type: 'takeover', client_id: 'a' });
        expect(await answered(room, 62)).to.equal('other-client');
        expect(room.asked.filter((each) => each.participant === thief.identity)).to.deep.equal([]);
      }
    });
    it('are not those of a participant with a link, or of one that may only watch', async () => {
      const linkId = toId('link', randomUUID());
      const link = { id: linkId, right: 'control' as const, expires_at: '2026-01-05T13:00:00.000Z' };
      const room = fakeRoom({ ...requested, links: [link] });
      const guest = room.join(personOf({ identity: linkId, linkId }));
      expect(await answered(room, room.input(guest, tap, { client_id: 'a' }))).to.equal('other-client');
      const watcher = room.join(personOf({ right: 'watch' }));
      expect(await answered(room, room.input(watcher, tap, { client_id: 'a' }))).to.equal('watching');
      expect(room.asked).to.deep.equal([]);
    });
  });
  describe('when a grant fails', () => {
    let timers: SinonFakeTimers;
    let room: ReturnType<typeof fakeRoom>;
    let other: Participant;
    beforeEach(async () => {
      timers = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
      room = fakeRoom(stateOf(pairOf('takeover-pending', 'a')));
      room.answers.isAway = true;
      other = room.join(personOf({ attributes: { client_id: 'b' } }));
      room.join(me);
      await timers.tickAsync(0);
      room.answers.isAway = false;
    });
    afterEach(() => timers.restore());

    it('grant again a moment later', async () => {
      expect(room.asked).to.deep.equal([]);
      await timers.tickAsync(1_000);
      expect(room.asked.map(({ kind, client_id }) => [kind, client_id])).to.deep.equal([['grant', 'a']]);
    });
    it('grant nothing to a client that has left meanwhile', async () => {
      room.leave(me, 'lost');
      await timers.tickAsync(10_000);
      expect(room.asked).to.deep.equal([]);
    });
    it('grant nothing in a room that is empty by then', async () => {
      room.leave(me, 'closed');
      room.leave(other, 'closed');
      await timers.tickAsync(10_000);
      expect(room.asked).to.deep.equal([]);
    });
  });
  it('send heartbeats to the control plane at a limited rate', async () => {
    const room = fakeRoom(stateOf(pairOf('human-driving', 'a')));
    room.join(me);
    for (let n = 0; n < 20; n += 1) room.input(me, { type: 'ping', timestamp: n });
    await answered(room, room.input(me, { type: 'ping', timestamp: 20 }));
    expect(room.asked.map(({ kind }) => kind)).to.deep.equal(['beat']);
  });
  it('count a copy as a heartbeat', async () => {
    const room = fakeRoom(stateOf(pairOf('human-driving', 'a', participant)));
    room.join(me);
    room.data(me, 'control', { seq: 90, type: 'copy' });
    await until(async () => room.asked.some(({ kind }) => kind === 'beat'));
  });
  it('give control back at once when the tab is closed', async () => {
    const room = fakeRoom(stateOf(pairOf('human-driving', 'a')));
    room.join(me);
    room.leave(me, 'closed');
    await until(async () => room.asked.some(({ kind }) => kind === 'handback'));
  });
  it('give control back after a broken connection, unless the client reconnects in time', async () => {
    const room = fakeRoom(stateOf(pairOf('human-driving', 'a')), { leaveMs: 50 });
    const other = room.join(personOf());
    room.join(me);
    room.leave(me, 'lost');
    room.join(me);
    room.leave(other, 'lost');
    await answered(room, room.input(me, tap));
    expect(room.asked.map(({ kind }) => kind)).not.to.include('handback');
    room.leave(me, 'lost');
    expect(room.asked.map(({ kind }) => kind)).not.to.include('handback');
    await until(async () => room.asked.some(({ kind }) => kind === 'handback'));
  });
  it('send the running turn again when the only participant returns', async () => {
    const turn = { turn_id: randomUUID(), phase: 'deciding', round: 1, intents: 2, settled: 0, steps: [] };
    const room = fakeRoom(undefined);
    const turns = () => room.sent.filter(({ topic }) => topic === 'turn').length;
    for (const told of [1, 2]) {
      const who = room.join(personOf({ identity: 'customer-1' }));
      room.say(stateOf({ turn }));
      expect(turns()).to.equal(told);
      room.leave(who, 'closed');
      room.say(undefined);
    }
  });
  it('request control and give it back by messages that touch nothing', async () => {
    const room = fakeRoom(stateOf(pairOf('ai-driving')));
    room.join(me);
    room.data(me, 'control', { seq: 70, type: 'takeover' });
    expect(await answered(room, 70)).to.equal('ok');
    room.say(stateOf({ ...pairOf('human-driving', 'a', participant), epoch: 2 }));
    room.data(me, 'control', { seq: 71, type: 'handback' });
    expect(await answered(room, 71)).to.equal('ok');
    expect(room.asked.map(({ kind, trigger }) => [kind, trigger])).to.deep.equal([
      ['takeover', 'takeover'],
      ['handback', 'takeover'],
    ]);
  });
  describe('when the page is loaded again, with another client id', () => {
    const again = { ...me, attributes: { client_id: 'b' } };
    const asked = (room: ReturnType<typeof fakeRoom>) =>
      room.asked.map(({ kind, client_id }) => [kind, client_id]);

    it('grant to the new page the control that the former one requested', async () => {
      const room = fakeRoom(stateOf(pairOf('ai-driving')));
      room.join(me);
      room.data(me, 'control', { seq: 80, type: 'takeover' });
      expect(await answered(room, 80)).to.equal('ok');
      room.leave(me, 'closed');
      room.say(stateOf({ ...pairOf('takeover-pending', 'a', participant), epoch: 2 }));
      room.join(again);
      await until(async () => room.asked.length === 2);
      room.say(stateOf({ ...pairOf('takeover-pending', 'b', participant), epoch: 3 }));
      await until(async () => room.asked.length === 3);
      expect(asked(room)).to.deep.equal([
        ['takeover', 'a'],
        ['takeover', 'b'],
        ['grant', 'b'],
      ]);
    });
    it('let the new page take over by its first touch, even if only its messages have the client id', async () => {
      const room = fakeRoom(stateOf(pairOf('human-driving', 'a', participant)));
      room.join({ ...me, attributes: {} });
      expect(await answered(room, room.input(me, tap, { client_id: 'b' }))).to.equal('asked');
      expect(asked(room)).to.deep.equal([['takeover', 'b']]);
      expect(room.hands.felt).to.deep.equal([]);
    });
    it('give back the control of the former page after its connection broke, unless the new one takes it', async () => {
      const room = fakeRoom(stateOf(pairOf('human-driving', 'a', participant)), { leaveMs: 50 });
      room.join(personOf());
      room.join(me);
      room.leave(me, 'lost');
      room.join(again);
      await until(async () => room.asked.length > 0);
      expect(asked(room)).to.deep.equal([['handback', 'a']]);
    });
    it('let the new page give back the control of the former one', async () => {
      const room = fakeRoom(stateOf(pairOf('human-driving', 'a', participant)));
      room.join(again);
      room.data(again, 'control', { seq: 81, type: 'handback' });
      expect(await answered(room, 81)).to.equal('ok');
      expect(asked(room)).to.deep.equal([['handback', 'a']]);
    });
  });
  it('answer with the reason when a request for control fails', async () => {
    const room = fakeRoom(stateOf(pairOf('ai-driving')));
    room.join(me);
    room.answers.refused = 'pair-mode-conflict';
    expect(await answered(room, room.input(me, tap))).to.equal('other-client');
    room.answers.refused = 'conflict';
    expect(await answered(room, room.input(me, tap))).to.equal('old-epoch');
    room.answers.isAway = true;
    expect(await answered(room, room.input(me, tap))).to.equal('no-contact');
  });
  it('send no answer to a newer join of the participant that asked', async () => {
    const room = fakeRoom(stateOf(pairOf('ai-driving')));
    room.join(me);
    room.data(me, 'control', { seq: 1_000, type: 'takeover' });
    room.leave(me, 'closed');
    const again = room.join({ ...me, attributes: { client_id: 'b' } });
    expect(await answered(room, room.input(again, tap))).to.equal('asked');
    expect(room.asked.map(({ client_id }) => client_id)).to.deep.equal(['a', 'b']);
    expect(room.reasonOf(1_000)).to.equal(undefined);
  });
});

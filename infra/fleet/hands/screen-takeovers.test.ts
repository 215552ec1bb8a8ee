import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import { toId } from '../../../contracts/ids.ts';
import type { InputEvent } from '../../../contracts/resources/pair-mode.ts';
import { until } from '../../verification/testbed/index.ts';
import { answered, fakeRoom, pairOf, personOf, stateOf } from './testing/room.ts';

const tap: InputEvent = { type: 'tap', x: 10, y: 20 };
const text: InputEvent = { type: 'text', text: 'a' };
type FakeRoom = ReturnType<typeof fakeRoom>;
const reported = ({ asked }: FakeRoom) =>
  asked.filter(({ kind }) => kind === 'screen').map(({ participant }) => participant);

describe('the person who touches a browser in manual mode', () => {
  it('is reported at the first touch, key or text, once', async () => {
    for (const event of [tap, text, { type: 'keyDown', key: 'a' } as const]) {
      const room = fakeRoom(stateOf());
      const who = room.join(personOf());
      for (const each of [event, tap, text])
        expect(await answered(room, room.input(who, each))).to.equal('ok');
      expect(reported(room), event.type).to.deep.equal([who.identity]);
    }
  });
  it('is reported whatever client it claims to be', async () => {
    for (const client_id of ['', 'x'.repeat(201)]) {
      const room = fakeRoom(stateOf());
      const who = room.join(personOf({ attributes: { client_id } }));
      await answered(room, room.input(who, tap));
      expect(room.asked.find(({ kind }) => kind === 'screen')?.client_id).to.equal(who.identity);
    }
  });
  it('is reported with the API key that its token was made with', async () => {
    const apiKeyId = toId('apiKey', randomUUID());
    const room = fakeRoom(stateOf());
    const [who, other] = [room.join(personOf({ apiKeyId })), room.join(personOf())];
    for (const each of [who, other]) await answered(room, room.input(each, tap));
    expect(room.asked.map(({ api_key_id }) => api_key_id)).to.deep.equal([apiKeyId, undefined]);
  });
  it('is not reported for an event that does not touch it', async () => {
    const room = fakeRoom(stateOf());
    const [who, watcher] = [room.join(personOf()), room.join(personOf({ right: 'watch' }))];
    await answered(room, room.input(who, { type: 'ping', timestamp: 1 }));
    await answered(room, room.input(who, { type: 'mouseMove', x: 5, y: 5 }));
    await answered(room, room.input(who, tap, { epoch: 9 }));
    await answered(room, room.input(watcher, tap));
    expect(reported(room)).to.deep.equal([]);
  });
  describe('in turns with another one', () => {
    let clock: SinonFakeTimers;
    beforeEach(() => {
      clock = useFakeTimers({ toFake: ['performance'] });
    });
    afterEach(() => clock.restore());

    it('is reported at each change, and at most once a minute', async () => {
      const room = fakeRoom(stateOf());
      const [one, other] = [room.join(personOf()), room.join(personOf())];
      const touch = async (...people: readonly (typeof one)[]) => {
        for (const who of people) expect(await answered(room, room.input(who, tap))).to.equal('ok');
      };
      await touch(one, other, one, other, one);
      expect(reported(room)).to.deep.equal([one.identity, other.identity]);
      clock.tick(60_000);
      await touch(one, one, other, one);
      expect(reported(room).slice(2)).to.deep.equal([one.identity, other.identity]);
    });
  });
  it('is reported again after control has changed', async () => {
    const room = fakeRoom(stateOf());
    const who = room.join(personOf());
    await answered(room, room.input(who, tap));
    room.say(stateOf({ mode: 'ai', epoch: 2 }));
    room.say(stateOf({ epoch: 3 }));
    await answered(room, room.input(who, tap));
    await until(async () => reported(room).length >= 2);
    expect(reported(room)).to.deep.equal([who.identity, who.identity]);
  });
  it('is reported if it came by a link', async () => {
    const linkId = toId('link', randomUUID());
    const link = { id: linkId, right: 'control' as const, expires_at: '2026-01-05T13:00:00.000Z' };
    const room = fakeRoom(stateOf({ links: [link] }));
    const guest = room.join(personOf({ identity: linkId, linkId }));
    await answered(room, room.input(guest, tap));
    expect(reported(room)).to.deep.equal([linkId]);
  });
  it('is not reported in pair mode, whose takeovers are', async () => {
    const who = personOf({ attributes: { client_id: 'a' } });
    const room = fakeRoom(stateOf(pairOf('human-driving', 'a', who.identity)));
    room.join(who);
    expect(await answered(room, room.input(who, tap))).to.equal('ok');
    expect(reported(room)).to.deep.equal([]);
  });
  it('does not wait for the report, which is sent again until it is answered, before that of the next person', async () => {
    const room = fakeRoom(stateOf());
    const [one, other] = [room.join(personOf()), room.join(personOf())];
    room.answers.isAway = true;
    expect(await answered(room, room.input(one, tap))).to.equal('ok');
    expect(await answered(room, room.input(other, tap))).to.equal('ok');
    expect(reported(room)).to.deep.equal([]);
    room.answers.isAway = false;
    await until(async () => reported(room).length >= 2);
    expect(reported(room)).to.deep.equal([one.identity, other.identity]);
  });
});

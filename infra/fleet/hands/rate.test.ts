import { expect } from 'chai';
import type { InputEvent } from '../../../contracts/resources/pair-mode.ts';
import { answered, fakeRoom, personOf, stateOf } from './testing/room.ts';

const ping = (timestamp: number): InputEvent => ({ type: 'ping', timestamp });

describe('input above the rate', () => {
  it('still lifts fingers and releases keys', async () => {
    const room = fakeRoom(stateOf());
    const who = room.join(personOf());
    room.input(who, { type: 'touchStart', x: 100, y: 100, touchId: 0 });
    room.input(who, { type: 'touchStart', x: 200, y: 100, touchId: 1 });
    room.input(who, { type: 'keyDown', key: 'a' });
    for (let n = 0; n < 2_000; n += 1)
      room.input(who, { type: 'touchMove', x: 100, y: 100 + (n % 300), touchId: n % 2 }, {}, 'input-moves');
    room.input(who, { type: 'touchEnd', x: 100, y: 400, touchId: 0 });
    room.input(who, { type: 'touchEnd', x: 200, y: 400, touchId: 1 });
    const last = room.input(who, { type: 'keyUp', key: 'a' });
    expect(await answered(room, last)).to.equal('ok');
    expect(room.reasonOf(null)).to.equal('too-many');
    expect(room.hands.felt.slice(-3)).to.deep.equal(['up 0 100,400', 'up 1 200,400', 'key up a']);
  });
  it('has a rate for releases, too', async () => {
    const room = fakeRoom(stateOf());
    const who = room.join(personOf());
    for (let n = 0; n < 240; n += 1) room.input(who, ping(n));
    const releases = Array.from({ length: 2_000 }, () => room.input(who, { type: 'keyUp', key: 'a' }));
    await answered(room, releases[0] ?? null);
    expect(room.reasonOf(null)).to.equal('too-many');
    expect(room.reasonOf(releases.at(-1) ?? null)).to.equal(undefined);
  });
});

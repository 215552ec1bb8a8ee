import { expect } from 'chai';
import pino from 'pino';
import { until } from '../../verification/testbed/index.ts';
import { timeoutFailure } from '../node/driver.ts';
import { answered, fakeRoom, personOf, stateOf } from './testing/room.ts';

describe('input', () => {
  it('is carried out if it is a move and the one before was refused because too many events were queued', async () => {
    const room = fakeRoom(stateOf());
    const [who, other] = [room.join(personOf()), room.join(personOf())];
    await answered(room, room.input(who, { type: 'touchStart', x: 10, y: 10, touchId: 0 }));
    for (let n = 0; n < 200; n += 1) room.input(other, { type: 'ping', timestamp: n });
    for (let n = 0; n < 100; n += 1) room.input(who, { type: 'ping', timestamp: n });
    const refused = room.input(who, { type: 'touchMove', x: 10, y: 20, touchId: 0 });
    expect(await answered(room, refused)).to.equal('too-many');
    await until(async () => room.acks().length === refused);
    const later = room.input(who, { type: 'touchMove', x: 10, y: 30, touchId: 0 });
    expect(await answered(room, later)).to.equal('ok');
    expect(room.hands.felt).to.deep.equal(['down 0 10,10', 'move 0 10,30']);
  });

  it('that times out is logged, once for a run of timeouts', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const room = fakeRoom(stateOf(), { logger });
    const who = room.join(personOf());
    room.hands.keyDown = () => Promise.reject(timeoutFailure('unknown', 'The page has not answered.'));
    for (let n = 0; n < 3; n += 1) {
      const pressed = room.input(who, { type: 'keyDown', key: 'a', modifiers: [] });
      expect(await answered(room, pressed)).to.equal('failed');
    }
    expect(lines).to.have.length(1);
  });
});

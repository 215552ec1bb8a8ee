import { expect } from 'chai';
import { fakeRoom, fakeSeat, personOf, sessionId, stateOf } from './testing/room.ts';

describe('a browser that two rooms show', () => {
  it('announces the touches of its operations to the later room, also after the former one is empty', () => {
    const seat = fakeSeat(sessionId);
    const [former, later] = [1, 2].map(() => fakeRoom(stateOf(), { seatOf: () => seat }));
    const who = personOf();
    former?.join(who);
    later?.join(personOf());
    former?.leave(who, 'closed');
    seat.hands.aimAt({ x: 10, y: 20, in_ms: 200 });
    const told = later?.sent.filter(({ topic }) => topic === 'cursor').map(({ message }) => message);
    expect(told).to.deep.equal([{ x: 10, y: 20, in_ms: 200, met: null }]);
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { Pace } from './pacing.ts';

/** Times at which events are carried out, by their times of arrival and of origin. */
const paced = (events: readonly (readonly [now: number, time: number | undefined])[]) => {
  const pace = new Pace();
  return events.map(([now, time]) => now + pace.wait(now, time));
};

describe('the pace of events', () => {
  it('is that of their arrival if they arrive as they happened', () => {
    expect(
      paced([
        [100, 0],
        [116, 16],
        [133, 32],
      ]),
    ).to.deep.equal([100, 116, 133]);
  });
  it('is restored for events that were delayed and arrive together', () => {
    expect(
      paced([
        [100, 0],
        [200, 16],
        [200, 32],
        [200, 48],
      ]),
    ).to.deep.equal([100, 200, 216, 232]);
  });
  it('delays no events without a time', () => {
    expect(
      paced([
        [100, 0],
        [100, undefined],
        [100, 50],
      ]),
    ).to.deep.equal([100, 100, 100]);
  });
  it('delays no event by more than a tenth of a second, whatever is sent', () => {
    const times = fc.array(
      fc.tuple(fc.nat(50), fc.option(fc.double({ noNaN: true, min: 0 }), { nil: undefined })),
    );
    fc.assert(
      fc.property(times, (given) => {
        let now = 0;
        const events = given.map(([step, time]) => [(now += step), time] as const);
        const due = paced(events);
        due.forEach((at, n) => expect(at - (events[n]?.[0] ?? 0)).to.be.within(0, 100));
      }),
    );
  });
});

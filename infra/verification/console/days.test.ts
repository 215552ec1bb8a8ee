import { expect } from 'chai';
import { endOfDay, startOfDay } from '../../console/parts/days.ts';

describe('a day that is chosen in the console', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  for (const [there, day, hours, start] of [
    ['America/Los_Angeles', '2026-03-08', 23, '2026-03-08T08:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', 25, '2026-10-24T22:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-12-31', 24, '2026-12-30T10:00:00.000Z'],
  ] as const)
    it(`lasts from midnight to midnight, where the user is: ${hours} hours in ${there}`, () => {
      process.env.TZ = there;
      expect(startOfDay(day).toISOString()).to.equal(start);
      expect((endOfDay(day).getTime() - startOfDay(day).getTime()) / 3_600_000).to.equal(hours);
    });

  it('is invalid if it is none', () => {
    for (const text of ['', 'x', '2020-13-45'])
      expect([startOfDay(text), endOfDay(text)].map(Number), text).to.deep.equal([NaN, NaN]);
  });
});

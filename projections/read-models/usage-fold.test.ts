import { expect } from 'chai';
import fc from 'fast-check';
import { hourMs } from '../../contracts/durations.ts';
import { countSession, runOn, type UsageHour } from './usage-fold.ts';

const start = Date.UTC(2026, 0, 5, 12);
const minutes = (n: number): number => start + n * 60_000;

/** The hours after sessions began (+) or ended (-), by minutes after twelve. */
function hoursOf(...changes: readonly (readonly [minute: number, change: 1 | -1])[]): UsageHour[] {
  const hours = new Map<number, UsageHour>();
  let latest: UsageHour | undefined;
  for (const [minute, change] of changes) {
    for (const hour of countSession(latest, minutes(minute), change)) hours.set(hour.hour, (latest = hour));
  }
  return [...hours.values()];
}

const shown = (hours: readonly UsageHour[]) =>
  hours.map(({ hour, started, busyMs, peak }) => [(hour - start) / hourMs, started, busyMs / 60_000, peak]);

describe('usage by the hour', () => {
  it('counts a session in the hour in which it began, and its minutes in every hour in which it ran', () => {
    expect(shown(hoursOf([50, 1], [190, -1]))).to.deep.equal([
      [0, 1, 10, 1],
      [1, 0, 60, 1],
      [2, 0, 60, 1],
      [3, 0, 10, 1],
    ]);
  });

  it('counts the most concurrent sessions, even in an hour in which none began', () => {
    const hours = hoursOf([10, 1], [20, 1], [30, -1], [40, 1], [70, -1], [80, -1]);
    expect(shown(hours)).to.deep.equal([
      [0, 3, 50 + 10 + 20, 2],
      [1, 0, 10 + 20, 2],
    ]);
  });

  it('does not count a session as concurrent with one that begins as it ends', () => {
    expect(shown(hoursOf([10, 1], [20, -1], [20, 1], [30, -1]))).to.deep.equal([[0, 2, 20, 1]]);
  });

  it('has no row for an hour in which nothing ran', () => {
    expect(shown(hoursOf([10, 1], [20, -1], [200, 1], [210, -1]))).to.deep.equal([
      [0, 1, 10, 1],
      [3, 1, 10, 1],
    ]);
  });

  it('ends an hour at its last moment: a session that ends as the next hour begins did not run in that', () => {
    expect(shown(hoursOf([0, 1], [60, -1]))).to.deep.equal([
      [0, 1, 60, 1],
      [1, 0, 0, 0],
    ]);
  });

  it('takes an event with an earlier time than the previous one as of the time of that one', () => {
    expect(shown(hoursOf([61, 1], [59, 1], [62, -1], [61, -1]))).to.deep.equal([[1, 2, 2, 2]]);
  });

  it('ignores an end without a beginning', () => {
    expect(hoursOf([10, -1])).to.deep.equal([]);
    expect(shown(hoursOf([10, 1], [20, -1], [30, -1]))).to.deep.equal([[0, 1, 10, 1]]);
  });

  it('continues to any time while sessions run', () => {
    const [latest] = hoursOf([30, 1]);
    if (latest === undefined) throw new Error('There is no hour.');
    expect(shown(runOn(latest, minutes(75)))).to.deep.equal([
      [0, 1, 30, 1],
      [1, 0, 15, 1],
    ]);
    expect(runOn(latest, minutes(10))).to.deep.equal([latest]);
  });

  it('equals a sample of every minute', () => {
    const session = fc.tuple(fc.nat(400), fc.integer({ min: 1, max: 300 }));
    fc.assert(
      fc.property(fc.array(session, { minLength: 1, maxLength: 12 }), (sessions) => {
        const changes = sessions
          .flatMap(([from, length]) => [[from, 1] as const, [from + length, -1] as const])
          .sort(([one, a], [other, b]) => one - other || a - b);
        for (const [hour, started, busy, peak] of shown(hoursOf(...changes))) {
          const inHour = Array.from({ length: 60 }, (_, minute) => Number(hour) * 60 + minute);
          const running = inHour.map(
            (minute) => sessions.filter(([from, length]) => from <= minute && minute < from + length).length,
          );
          expect(busy).to.equal(running.reduce((sum, each) => sum + each, 0));
          expect(peak).to.equal(Math.max(...running));
          expect(started).to.equal(sessions.filter(([from]) => inHour.includes(from)).length);
        }
      }),
      { seed: 20260105, numRuns: 300 },
    );
  });
});

import type { Clock } from '../../platform/clock.ts';
import type { Schedule } from './schedule.ts';

const beginning = Date.parse('2026-01-05T12:00:00.000Z');

/** The wall clock, the same in every process: it follows the schedule's time, and can be moved forward or back. */
export class FakeClock implements Clock {
  readonly #schedule: Schedule;
  /** A shift, and the schedule's time from which on it applies. */
  readonly #settings = [{ from: 0, by: 0 }];
  #setForward: (() => void)[] = [];

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  now(): Date {
    const { by } = this.#settings.at(-1) ?? { by: 0 };
    return new Date(beginning + this.#schedule.now + by);
  }

  jump(ms: number): void {
    const by = this.now().getTime() - beginning - this.#schedule.now + ms;
    this.#settings.push({ from: this.#schedule.now, by });
    if (ms > 0) for (const tell of this.#setForward.splice(0)) tell();
  }

  /** Calls once, at the next move forward. */
  onSetForward(tell: () => void): void {
    this.#setForward.push(tell);
  }

  /** The latest time it had shown by then, in the schedule's time: moving it back makes nothing undue. */
  latestBy(at: number): Date {
    const shown = this.#settings
      .filter(({ from }) => from <= at)
      .map(({ by }, index) => Math.min(at, this.#settings[index + 1]?.from ?? at) + by);
    return new Date(beginning + Math.max(...shown));
  }
}

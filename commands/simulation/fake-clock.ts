import type { Clock } from '../../infra/clock.ts';
import type { Schedule } from './schedule.ts';

const beginning = Date.parse('2026-01-05T12:00:00.000Z');

/** The wall clock, the same in every process: it follows the schedule's time, and can be set forward or back. */
export class FakeClock implements Clock {
  readonly #schedule: Schedule;
  #setBy = 0;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  now(): Date {
    return new Date(beginning + this.#schedule.now + this.#setBy);
  }

  jump(ms: number): void {
    this.#setBy += ms;
  }
}

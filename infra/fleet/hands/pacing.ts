/** Maximal delay of an event for its distance from the one before, in milliseconds. */
const longestMs = 100;

/**
 * Schedules events by the times at which they happened: on arrival, but not sooner after one another than they happened. Events that a
 * network has delayed and delivers together keep their pace, by which a page distinguishes a swipe from a drag; the delay is bounded.
 */
export class Pace {
  #before: { readonly time: number; readonly due: number } | undefined;

  /** Milliseconds from `now` until an event is due that happened at `time` by its sender's clock. */
  wait(now: number, time: number | undefined): number {
    const due = time === undefined ? now : this.#dueAt(now, time);
    this.#before = time === undefined ? undefined : { time, due };
    return due - now;
  }

  #dueAt(now: number, time: number): number {
    if (this.#before === undefined) return now;
    const between = Math.min(Math.max(time - this.#before.time, 0), longestMs);
    return Math.min(Math.max(now, this.#before.due + between), now + longestMs);
  }
}

/** Milliseconds that an event waits at most for the time that lay between it and the one before it. */
const longestMs = 100;

/**
 * When events are due that arrive with the times at which they happened: as soon as they come, but no sooner after each other than they
 * happened. Those that a network has held up and delivers at once keep their pace, by which a page tells a swipe from a drag; what they
 * lag behind is bounded.
 */
export class Pace {
  private before: { readonly time: number; readonly due: number } | undefined;

  /** Milliseconds from `now` until an event is due that happened at `time` by its sender's clock. */
  wait(now: number, time: number | undefined): number {
    const due = time === undefined ? now : this.dueAt(now, time);
    this.before = time === undefined ? undefined : { time, due };
    return due - now;
  }

  private dueAt(now: number, time: number): number {
    if (this.before === undefined) return now;
    const between = Math.min(Math.max(time - this.before.time, 0), longestMs);
    return Math.min(Math.max(now, this.before.due + between), now + longestMs);
  }
}

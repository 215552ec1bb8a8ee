import { setTimeout as delay } from 'node:timers/promises';

/** A tick of WebDriver's Actions; what takes time says how long, in milliseconds. */
interface Tick {
  readonly type: string;
  readonly duration?: number;
}

/** Ticks that belong together, such as a key going down and up again: an input is never left in the middle of them. */
export type Step<T extends Tick> = readonly T[];

/** About how late an abort is noticed, milliseconds: no part of an input takes longer, unless the page is slow. */
export const partMs = 250;
/** Steps of the first part. The later ones have as many as the page takes in `partMs`. */
const firstSteps = 40;
const fewestSteps = 4;
const mostSteps = 400;

/**
 * Has an input performed part by part, so that it can be stopped: WebKitWebDriver has no way to stop what it performs.
 * Long pauses are waited for here. Rejects at the end of a part once the signal is aborted, and then nothing of the input
 * is under way any more; an input whose last part ended too late rejects as well.
 */
export async function inParts<T extends Tick>(
  steps: readonly Step<T>[],
  perform: (ticks: T[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let allowed = firstSteps;
  for (let next = 0; next < steps.length;) {
    signal.throwIfAborted();
    const pause = longPause(steps[next]);
    if (pause !== undefined) {
      await delay(pause, undefined, { signal });
      next += 1;
      continue;
    }
    const part = partOf(steps, next, allowed);
    const begin = performance.now();
    await perform(part.flat());
    signal.throwIfAborted();
    const perStep = (performance.now() - begin) / part.length;
    allowed = Math.min(mostSteps, Math.max(fewestSteps, Math.floor(partMs / perStep)));
    next += part.length;
  }
}

/** The steps from `first` on that fit into one part: at least one, whatever it takes. */
function partOf<T extends Tick>(steps: readonly Step<T>[], first: number, allowed: number): Step<T>[] {
  let end = first;
  for (let spent = 0; end < steps.length && end - first < allowed; end += 1) {
    spent += (steps[end] ?? []).reduce((sum, { duration = 0 }) => sum + duration, 0);
    if (spent > partMs && end > first) break;
  }
  return steps.slice(first, end);
}

/** How long a step waits that does nothing else and is too long for a part. */
function longPause<T extends Tick>(step: Step<T> | undefined): number | undefined {
  const [tick] = step ?? [];
  const isLong = step?.length === 1 && tick?.type === 'pause' && (tick.duration ?? 0) > partMs;
  return isLong ? tick.duration : undefined;
}

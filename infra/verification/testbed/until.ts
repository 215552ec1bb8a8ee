import { setTimeout as delay } from 'node:timers/promises';

export interface UntilOptions {
  /** How long to retry, in milliseconds. */
  readonly limitMs?: number;
  /**
   * Minimal time between two checks. Slow ones are less frequent: the pause is at least a twentieth of their duration.
   */
  readonly everyMs?: number;
}

/**
 * Repeats a check until its result is neither `false`, `undefined` nor `null`, and returns that; fails with the last
 * error when the limit passes. An error thrown by the check counts as "not yet".
 */
export async function until<T>(
  question: () => T | Promise<T>,
  { limitMs = 20_000, everyMs = 10 }: UntilOptions = {},
): Promise<Exclude<T, false | null | undefined>> {
  const startedAt = performance.now();
  let cause: unknown;
  do {
    try {
      const answer = await question();
      if (holds(answer)) return answer;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await delay(Math.max(everyMs, (performance.now() - startedAt) / 20));
  } while (performance.now() - startedAt < limitMs);
  throw new Error(`Not within ${limitMs} ms: ${question.toString()}`, { cause });
}

/**
 * Counts until nothing is left. Fails if the smallest count so far has not decreased within the limit. An error counts
 * as no progress.
 */
export async function untilNoneLeft(
  count: () => Promise<number>,
  { limitMs = 20_000, everyMs = 10 }: UntilOptions = {},
): Promise<void> {
  for (let least = Infinity; least > 0;)
    least = await until(
      async () => {
        const left = await count();
        return left < least && { left };
      },
      { limitMs, everyMs },
    ).then(({ left }) => left);
}

function holds<T>(answer: T): answer is Exclude<T, false | null | undefined> {
  return answer !== false && answer !== null && answer !== undefined;
}

import { setTimeout as delay } from 'node:timers/promises';

export interface UntilOptions {
  /** How long to keep asking, in milliseconds. */
  readonly limitMs?: number;
  /** The least time between two questions. What has taken long is asked for less often: a twentieth of that time later. */
  readonly everyMs?: number;
}

/**
 * Asks again until the answer is neither `false`, `undefined` nor `null`, and gives it; fails with the last error when the limit
 * passes. An error thrown by the question counts as "not yet".
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

function holds<T>(answer: T): answer is Exclude<T, false | null | undefined> {
  return answer !== false && answer !== null && answer !== undefined;
}

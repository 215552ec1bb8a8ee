import { setTimeout as delay } from 'node:timers/promises';

export interface UntilOptions {
  /** How long to keep asking, in milliseconds. */
  readonly limitMs?: number;
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
  const end = performance.now() + limitMs;
  let cause: unknown;
  do {
    try {
      const answer = await question();
      if (holds(answer)) return answer;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await delay(everyMs);
  } while (performance.now() < end);
  throw new Error(`Not within ${limitMs} ms: ${question.toString()}`, { cause });
}

function holds<T>(answer: T): answer is Exclude<T, false | null | undefined> {
  return answer !== false && answer !== null && answer !== undefined;
}

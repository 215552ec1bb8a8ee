import { setTimeout as wait } from 'node:timers/promises';

const firstMs = 25;
const longestMs = 2_000;

export interface BackOffOptions {
  readonly signal?: AbortSignal;
  /** What is left of the time there is, milliseconds. */
  readonly leftMs?: number;
}

/**
 * Waits before trying again: longer each time, up to two seconds, and a random part less, so that clients that lost the
 * same server do not return in step.
 */
export async function backOff(
  attempt: number,
  { signal, leftMs = Infinity }: BackOffOptions = {},
): Promise<void> {
  const ms = Math.min(leftMs, Math.min(longestMs, firstMs * 2 ** attempt) * (0.5 + Math.random() / 2));
  await wait(ms, undefined, signal ? { signal } : {});
}

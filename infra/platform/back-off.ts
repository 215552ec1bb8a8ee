import { setTimeout as wait } from 'node:timers/promises';

/** Exponential back-off: each pause is twice as long as the previous one. */
export interface BackOff {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Random shortening of a pause, as a share, so that clients of the same server do not retry in step. */
  readonly jitter?: number;
}

/** The pause in milliseconds after the given number of earlier failures. */
export const pauseMs = (
  { firstMs, longestMs, jitter = 0 }: BackOff,
  tries: number,
  random: () => number = Math.random,
): number => Math.min(longestMs, firstMs * 2 ** tries) * (1 - jitter * random());

export interface WaitOptions {
  /** Aborts the wait. */
  readonly signal?: AbortSignal;
  /** Remaining time in milliseconds, which limits the wait. */
  readonly leftMs?: number;
}

/** Waits before the next try. */
export async function waitBackOff(
  backOff: BackOff,
  tries: number,
  { signal, leftMs = Infinity }: WaitOptions = {},
): Promise<void> {
  await wait(Math.min(leftMs, pauseMs(backOff, tries)), undefined, signal ? { signal } : {});
}

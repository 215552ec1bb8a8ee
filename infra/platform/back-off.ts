import { setTimeout as wait } from 'node:timers/promises';

/** Pauses between tries: each twice as long as the one before. */
export interface BackOff {
  readonly firstMs: number;
  readonly longestMs: number;
  /** How much shorter a pause may be by chance, as a share, so that clients that lost the same server do not return in step. */
  readonly jitter?: number;
}

/** The pause in milliseconds after the given number of earlier failures. */
export const pauseMs = (
  { firstMs, longestMs, jitter = 0 }: BackOff,
  tries: number,
  random: () => number = Math.random,
): number => Math.min(longestMs, firstMs * 2 ** tries) * (1 - jitter * random());

export interface WaitOptions {
  /** Rejects the wait at once. */
  readonly signal?: AbortSignal;
  /** Remaining time in milliseconds: the wait is not longer. */
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

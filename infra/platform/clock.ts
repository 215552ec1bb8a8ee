import { setTimeout as delay } from 'node:timers/promises';

/** Time comes in as an argument everywhere, so that tests can set it. */
export interface Clock {
  now(): Date;
}

/** Waits `ms` milliseconds; rejects at once when the signal ends the wait. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

/** Calls once `ms` milliseconds have passed, unless what it returns calls that off before. */
export type After = (ms: number, call: () => void) => () => void;

export const systemClock: Clock = { now: () => new Date() };

export const systemAfter: After = (ms, call) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

export const systemPause: Pause = (ms, signal) => delay(ms, undefined, { signal });

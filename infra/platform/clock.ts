import { setTimeout as delay } from 'node:timers/promises';

/** Time is always passed in, so that tests can set it. */
export interface Clock {
  now(): Date;
}

/** Waits `ms` milliseconds; rejects when the signal aborts. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

/** Calls back after `ms` milliseconds, unless the returned function cancels it. */
export type After = (ms: number, call: () => void) => () => void;

export const systemClock: Clock = { now: () => new Date() };

/** Goes on evenly whatever the wall clock is set to: for times that are only compared within a process. */
export const steadyClock: Clock = { now: () => new Date(performance.timeOrigin + performance.now()) };

export const systemAfter: After = (ms, call) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

export const systemPause: Pause = (ms, signal) => delay(ms, undefined, { signal });

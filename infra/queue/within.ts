import { within as settleWithin } from '../within.ts';

/** For what is asked of the queue. */
export const within = <T>(limitMs: number, work: Promise<T>): Promise<T> =>
  settleWithin(limitMs, work, () => new Error(`The queue took longer than ${limitMs} ms.`));

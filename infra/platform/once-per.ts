import { Cache } from './cache.ts';
import type { Clock } from './clock.ts';

interface OncePer {
  readonly everyMs: number;
  readonly clock: Clock;
}

/** Lets a key pass at most once within a time: gives when it does, and undefined when it does not. A forgotten key passes again. */
export function oncePer({ everyMs, clock }: OncePer): (key: string) => Date | undefined {
  /** Last times in milliseconds. Not expired by the cache, because the clock may go back. */
  const passed = new Cache<string, number>();
  return (key) => {
    const now = clock.now();
    const last = passed.get(key);
    if (last !== undefined && Math.abs(now.getTime() - last) < everyMs) return undefined;
    passed.set(key, now.getTime());
    return now;
  };
}

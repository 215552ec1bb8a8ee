import { Cache } from './cache.ts';
import type { Clock } from './clock.ts';

interface OncePer {
  readonly everyMs: number;
  readonly clock: Clock;
}

/** Lets a key pass at most once per interval: returns the time if it passes, else undefined. An evicted key passes again. */
export function oncePer({ everyMs, clock }: OncePer): (key: string) => Date | undefined {
  /** Last times in milliseconds. Not expired by the cache, because the clock may be set back. */
  const passed = new Cache<string, number>();
  return (key) => {
    const now = clock.now();
    const last = passed.get(key);
    if (last !== undefined && Math.abs(now.getTime() - last) < everyMs) return undefined;
    passed.set(key, now.getTime());
    return now;
  };
}

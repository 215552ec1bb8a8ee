import type { Clock } from './clock.ts';

interface OncePer {
  readonly everyMs: number;
  readonly clock: Clock;
}

/** How many keys are remembered; one that was forgotten passes again. */
const mostKeys = 10_000;

/** Lets a key pass at most once within a time: gives when it does, and undefined when it does not. */
export function oncePer({ everyMs, clock }: OncePer): (key: string) => Date | undefined {
  /** When each key passed last, the longest ago first. */
  const passed = new Map<string, number>();
  return (key) => {
    const now = clock.now();
    const last = passed.get(key);
    if (last !== undefined && Math.abs(now.getTime() - last) < everyMs) return undefined;
    passed.delete(key);
    passed.set(key, now.getTime());
    const [oldest] = passed.keys();
    if (passed.size > mostKeys && oldest !== undefined) passed.delete(oldest);
    return now;
  };
}

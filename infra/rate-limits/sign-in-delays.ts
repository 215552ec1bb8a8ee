import { setTimeout as wait } from 'node:timers/promises';
import { refuse } from '../../contracts/problems.ts';
import type { Buckets } from './buckets.ts';
import { tokensLeft } from './token-bucket.ts';

/** Throttles password attempts by mail address, whether or not an account has it. */
export interface SignInDelays {
  /** Runs the attempt after a delay that grows with recent failures. Throws `rate-limited` if `from` has too many waiting. */
  admit<T>(address: string, from: string | null, attempt: () => Promise<T>): Promise<T>;
  failed(address: string): Promise<void>;
}

/** Number of failures without a delay; each further one doubles the delay, up to the last. */
const freeFailures = 10;
const delaysMs = [500, 1000, 2000, 4000] as const;
/** Bucket of failures: each takes a token, refilled within the hour. */
const size = { burst: freeFailures + delaysMs.length - 1, perMinute: 13 / 60 };
/** Maximum waiting attempts of one client per address. Other clients wait separately, so that no owner is locked out. */
const waitingAtMost = 4;

export function createSignInDelays(
  buckets: Buckets,
  clientOf: (address: string) => string,
  pause: (milliseconds: number) => Promise<unknown> = (milliseconds) => wait(milliseconds),
): SignInDelays {
  const waiting = new Map<string, number>();
  const keyOf = (address: string): string => `auth:sign-in:${address}`;

  const delayed = async (delayMs: number, client: string): Promise<void> => {
    const ahead = waiting.get(client) ?? 0;
    if (ahead >= waitingAtMost)
      throw refuse(
        'rate-limited',
        'Too many attempts to sign in to one account are waiting. Try again later.',
        {
          retry_after_seconds: Math.ceil(delayMs / 1000),
        },
      );
    waiting.set(client, ahead + 1);
    try {
      await pause(delayMs);
    } finally {
      const left = (waiting.get(client) ?? 1) - 1;
      if (left > 0) waiting.set(client, left);
      else waiting.delete(client);
    }
  };

  return {
    async admit(address, from, attempt) {
      const level = await buckets.take(keyOf(address), size, 0);
      const failures = size.burst - tokensLeft(size, level);
      const delayMs = delaysMs[failures - freeFailures];
      if (delayMs !== undefined) await delayed(delayMs, `${address} ${clientOf(from ?? 'unknown')}`);
      return attempt();
    },
    async failed(address) {
      await buckets.take(keyOf(address), size, 1);
    },
  };
}

/** For load and race tests. */
export const undelayed: SignInDelays = {
  admit: (_address, _from, attempt) => attempt(),
  failed: async () => {},
};

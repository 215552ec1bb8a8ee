import { ConfigError } from '../../config/index.ts';
import { waitBackOff } from '../../platform/back-off.ts';
import type { RoleContext } from '../roles/role.ts';

const backOff = { firstMs: 100, longestMs: 2_000 };

/**
 * Runs a query required before a role can serve. Retries until the store answers, because a role may start before its stores.
 * Rejects when the process is stopping, and with a `ConfigError`, which retries cannot fix.
 */
export async function onceAnswered<Answer>(
  { logger, lifetime }: Pick<RoleContext, 'logger' | 'lifetime'>,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      logger.warn({ err: error }, 'A store does not answer yet; retrying.');
      await waitBackOff(backOff, tries, { signal: lifetime.ending });
    }
  }
}

import { ConfigError } from '../../config/index.ts';
import { waitBackOff } from '../../platform/back-off.ts';
import type { RoleContext } from '../roles/role.ts';

const backOff = { firstMs: 100, longestMs: 2_000 };

/**
 * Runs a query that a role needs before it can serve. It is retried until the store answers, since a role may start
 * before its stores. Rejects when the process is stopping, and with a `ConfigError`, which waiting cannot fix.
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
      logger.warn({ err: error }, 'A store does not answer yet. It is asked again.');
      await waitBackOff(backOff, tries, { signal: lifetime.ending });
    }
  }
}

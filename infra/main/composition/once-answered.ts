import { ConfigError } from '../../config/index.ts';
import { waitBackOff } from '../../platform/back-off.ts';
import type { RoleContext } from '../roles/role.ts';

const backOff = { firstMs: 100, longestMs: 2_000 };

/**
 * What a role has to ask a store before it can serve. A store that is not there yet is asked again until it answers, since a role may
 * start before it. Rejects when the process is to end, and with a `ConfigError`, which no time mends.
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

import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { ErasurePorts } from '../../../commands/account/erase.ts';
import { agentSessionsOfErased } from '../../../projections/queries/agent-session.ts';
import { profilesOfErased } from '../../../projections/queries/profile.ts';
import { seatsOfErased } from '../../../projections/queries/team.ts';

/** Reads of an account's resources as of its erasure. Reject unless the read models reach it within seconds. */
export const erasedIn = (
  pool: pg.Pool,
): Pick<ErasurePorts, 'seatsOf' | 'profilesOf' | 'agentSessionsOf'> => ({
  seatsOf: (accountId) => onceErased(() => seatsOfErased(pool, accountId)),
  profilesOf: (accountId) => onceErased(() => profilesOfErased(pool, accountId)),
  agentSessionsOf: (accountId) => onceErased(() => agentSessionsOfErased(pool, accountId)),
});

/** Maximum wait of an erasure for the read models, in milliseconds. They usually include it already. */
const waitMs = 5000;

async function onceErased<Found>(find: () => Promise<Found | undefined>): Promise<Found> {
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (performance.now() >= giveUpAt)
      throw new Error(
        'The read models are behind. The memberships, profiles and agent sessions of the account are ended when the read models have caught up.',
      );
    await delay(20);
  }
}

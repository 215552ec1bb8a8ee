import type { Account } from '../contracts/resources/account.ts';
import type { Call } from '../infra/http/index.ts';
import type { Vault } from '../infra/vault/index.ts';
import type { Reader } from './engine/credentials.ts';
import { newestAfter } from './engine/paging.ts';
import { openedEmail } from './engine/sealed.ts';
import { notFound, type Read } from './engine/reading.ts';
import { ownAccount } from '../projections/queries/account.ts';

/** Maximum memberships shown with an account, newest first. */
const shownMemberships = 100;

export const accountReads = (read: Read, vault: Pick<Vault, 'open'>) => ({
  'account.me': {
    run: async (call: Call<'account.me', Reader, never>) => {
      const { accountId } = call.caller;
      const { rows, stale, freshness } = await read(
        call,
        ownAccount,
        newestAfter([], { accountId, limit: shownMemberships }),
      );
      const [row] = rows;
      // A past may be older than the account.
      if (row === undefined) throw notFound(stale);
      const email = await openedEmail(vault, row.id, 'email', row.sealed_email);
      const body: Account = {
        id: row.id,
        email,
        tier: row.tier,
        teams: [...row.teams],
        mfa_enrolled: row.enrolled_at !== null,
        suspended:
          row.suspended_at === null ? null : { at: row.suspended_at, reason: row.suspended_reason ?? '' },
        created_at: row.created_at,
      };
      return { body, ...freshness };
    },
  },
});

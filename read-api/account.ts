import type { Account } from '../contracts/resources/account.ts';
import type { Call } from '../infra/http/index.ts';
import type { Vault } from '../infra/vault/index.ts';
import type { Reader } from './engine/credentials.ts';
import type { Read } from './engine/reading.ts';
import { ownAccount } from '../projections/queries/account.ts';

/** Shown instead of an address whose key was destroyed. */
const erased = 'erased';

export const accountReads = (read: Read, vault: Pick<Vault, 'open'>) => ({
  'account.me': {
    run: async (call: Call<'account.me', Reader, never>) => {
      const { rows, freshness } = await read(call, ownAccount, { accountId: call.caller.accountId });
      const [row] = rows;
      // The key that let the caller in was read together with its account.
      if (row === undefined) throw new Error(`${call.caller.accountId} has a key and no account`);
      const email = await vault.open(row.id, 'email', row.sealed_email);
      const body: Account = {
        id: row.id,
        email: 'text' in email ? email.text : erased,
        tier: row.tier,
        teams: [],
        mfa_enrolled: row.enrolled_at !== null,
        created_at: row.created_at,
      };
      return { body, ...freshness };
    },
  },
});

import { secondFactorEvents } from '../../contracts/events/second-factor.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { readModel } from '../engine/read-model.ts';
import { column, textOf } from '../engine/table.ts';

/** Accounts with a second factor; `id` is the account's. */
export const secondFactors = readModel('second_factors', {
  of: secondFactorEvents,
  id: 'account',
  columns: { id: textOf<AccountId>(), enrolled_at: column.optionalTime },
  handlers: 1,
  creates: {
    SecondFactorEnrolmentBegun: ({ data }) => ({ id: data.accountId, enrolled_at: null }),
  },
  changes: {
    SecondFactorConfirmed: ({ data }) => ({ enrolled_at: data.at }),
    SecondFactorDisabled: () => ({ enrolled_at: null }),
  },
});

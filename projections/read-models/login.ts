import { loginEvents } from '../../contracts/events/login.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { readModel } from '../engine/read-model.ts';
import { column, textOf } from '../engine/table.ts';

/** Accounts whose web sessions were all ended: those of a lower login epoch than the row's. */
export const logins = readModel('logins', {
  of: loginEvents,
  id: 'account',
  columns: {
    id: textOf<AccountId>(),
    epoch: column.integer,
    epoch_since: column.time,
  },
  handlers: 1,
  creates: {
    UnprovenPasswordDropped: ({ data: { accountId, epoch, at } }) => ({
      id: accountId,
      epoch,
      epoch_since: at,
    }),
    PasswordReset: ({ data: { accountId, epoch, at } }) => ({ id: accountId, epoch, epoch_since: at }),
  },
});

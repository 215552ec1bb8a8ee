import type { AccountId } from '../../contracts/ids.ts';
import { freshStatement } from './fresh-statement.ts';
import { db } from './tables.ts';

/** Number of entries in an account's audit log; no row for none. */
export const auditHead = freshStatement<
  { readonly accountId: AccountId },
  { readonly id: AccountId; readonly sequence: number }
>('audit-head', (parameter) =>
  db
    .selectFrom('read_model.audit_log')
    .select(['account_id as id', 'sequence'])
    .where('account_id', '=', parameter('accountId'))
    .orderBy('sequence', 'desc')
    .limit(1),
);

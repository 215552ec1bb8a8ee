import type { AccountId } from '../../contracts/ids.ts';
import { freshStatement } from './fresh-statement.ts';
import { db, type Tables } from './tables.ts';

type AccountRow = Tables['read_model.accounts'];

export const ownAccount = freshStatement<{ readonly accountId: AccountId }, AccountRow>(
  'own-account',
  (parameter) => db.selectFrom('read_model.accounts').selectAll().where('id', '=', parameter('accountId')),
);

/** For the age of an export, which reads the account's audit log page by page. */
export const auditedAccount = freshStatement<{ readonly accountId: AccountId }, Pick<AccountRow, 'id'>>(
  'export-account',
  (parameter) => db.selectFrom('read_model.accounts').select('id').where('id', '=', parameter('accountId')),
  { alsoReads: ['audit_log'] },
);

import type pg from 'pg';
import { rootOf } from '../../contracts/audit/tree.ts';
import { parseId, type AccountId } from '../../contracts/ids.ts';
import { headsIn, headsSql, lastEntrySql, type OwnedRow } from './tree.ts';

/** The head of an account's audit log. */
export interface AccountHead {
  readonly accountId: AccountId;
  /** Entries. */
  readonly size: number;
  /** Base64. */
  readonly root: string;
}

const log = 'read_model.audit_log';
const accountsAPage = 1000;

/** Of a page of accounts whose log is longer than their last leaf says. An erased one has no pseudonym any more. */
const changedSql = headsSql(
  log,
  `select account.id as account_id, entry.sequence
   from read_model.accounts as account
   cross join ${lastEntrySql(log, 'account.id')}
   left join lateral (
     select size from read_model.public_leaves as leaf
     where leaf.account_id = account.id order by leaf.sequence desc limit 1
   ) as leaf on true
   where account.id > $1 and account.erased_at is null and leaf.size is distinct from entry.sequence
   order by account.id limit $2`,
);

/** The heads that the public tree does not have yet, in pages. */
export async function* changedHeads(pool: pg.Pool): AsyncGenerator<readonly AccountHead[], void, undefined> {
  for (let after = ''; ;) {
    const { rows } = await pool.query<OwnedRow>({
      name: 'changed-heads',
      text: changedSql,
      values: [after, accountsAPage],
    });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield [...headsIn(rows)].flatMap(([account, { sequence, tree }]) => {
      const accountId = parseId('account', account);
      return accountId === undefined
        ? []
        : [{ accountId, size: sequence, root: rootOf(tree).toString('base64') }];
    });
    after = last.account_id;
  }
}

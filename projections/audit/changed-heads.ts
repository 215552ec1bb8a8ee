import type pg from 'pg';
import { rootOf } from '../../contracts/audit/tree.ts';
import { parseId, type AccountId } from '../../contracts/ids.ts';
import { headsIn, headsSql, lastEntrySql, type OwnedRow } from './tree.ts';

/** The head of an account's audit log. */
export interface AccountHead {
  readonly accountId: AccountId;
  /** Number of entries. */
  readonly size: number;
  /** Base64. */
  readonly root: string;
}

const log = 'read_model.audit_log';
const accountsAPage = 1000;

/** An erased account has no pseudonym. */
const pageSql = 'select id from read_model.accounts where id > $1 and erased_at is null order by id limit $2';

/** Selects those accounts whose log is longer than in their last leaf. */
const changedSql = headsSql(
  log,
  `select account.id as account_id, entry.sequence
   from unnest($1::text[]) as account (id)
   cross join ${lastEntrySql(log, 'account.id')}
   left join lateral (
     select size from read_model.public_leaves as leaf
     where leaf.account_id = account.id order by leaf.sequence desc limit 1
   ) as leaf on true
   where leaf.size is distinct from entry.sequence`,
);

/**
 * Heads that are not in the public tree yet, in pages. Accounts are checked a page at a time, and the next page is queried while
 * the previous one is processed.
 */
export async function* changedHeads(pool: pg.Pool): AsyncGenerator<readonly AccountHead[], void, undefined> {
  for (let asked = pageAfter(pool, ''); ;) {
    const page = await asked;
    if (page === undefined) return;
    asked = pageAfter(pool, page.last);
    // Its failure is thrown above, unless the caller has stopped.
    asked.catch(() => undefined);
    yield headsOfRows(page.rows);
  }
}

/** Undefined after the last account. */
async function pageAfter(pool: pg.Pool, after: string) {
  const page = { name: 'anchored-accounts', text: pageSql, values: [after, accountsAPage] };
  const ids = (await pool.query<{ id: string }>(page)).rows.map(({ id }) => id);
  const last = ids.at(-1);
  if (last === undefined) return undefined;
  const changed = { name: 'changed-heads', text: changedSql, values: [ids] };
  return { last, rows: (await pool.query<OwnedRow>(changed)).rows };
}

const headsOfRows = (rows: readonly OwnedRow[]): AccountHead[] =>
  [...headsIn(rows)].flatMap(([account, { sequence, tree }]) => {
    const accountId = parseId('account', account);
    return accountId === undefined
      ? []
      : [{ accountId, size: sequence, root: rootOf(tree).toString('base64') }];
  });

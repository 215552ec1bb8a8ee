import type pg from 'pg';
import type { AccountId } from '../../contracts/ids.ts';
import { rowsOf } from '../queries/tables.ts';
import { HeadContradicted } from './signing.ts';
import { rootsOf, type SizeOf } from './tree.ts';

/** Page size of heads. */
const pageSize = 500;

/** The first signed head of the log that contradicts the read model; undefined if none does. */
export async function firstContradiction(pool: pg.Pool, log: string): Promise<HeadContradicted | undefined> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const heads: readonly SignedRow[] = await signedAfter(pool, log, after);
    const roots = await rootsOf(pool, heads);
    const broken = heads.find(({ accountId, root }) => roots.get(accountId) !== root);
    if (broken !== undefined)
      return new HeadContradicted(broken.accountId, roots.has(broken.accountId) ? 'other' : 'shorter');
    after = heads.at(-1)?.accountId;
  }
  return undefined;
}

interface SignedRow extends SizeOf {
  readonly root: string;
}

const signedAfter = (pool: pg.Pool, log: string, after: string): Promise<SignedRow[]> =>
  rowsOf(
    pool,
    `select account_id as "accountId", size, root from vault.signed_heads
     where log = $1 and account_id > $2 order by account_id limit $3`,
    [log, after, pageSize],
  );

/** Why the signing of the log is stopped; null if it is not. */
export async function signingStop(pool: pg.Pool, log: string): Promise<string | null> {
  const [row] = await rowsOf<{ reason: string }>(
    pool,
    'select reason from vault.signing_stops where log = $1',
    [log],
  );
  return row?.reason ?? null;
}

/** Stops the signing of a log in every process, with a reason; null resumes it. */
export async function stopSigning(pool: pg.Pool, log: string, reason: string | null): Promise<void> {
  if (reason === null) await pool.query('delete from vault.signing_stops where log = $1', [log]);
  else
    await pool.query(
      `insert into vault.signing_stops (log, reason) values ($1, $2)
       on conflict (log) do update set reason = excluded.reason`,
      [log, reason],
    );
}

/** Accounts with entries or a signed head not covered by a recorded note, ordered by id. */
export async function unrecordedHeads(
  pool: pg.Pool,
  log: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly AccountId[]> {
  const rows = await rowsOf<{ id: AccountId }>(
    pool,
    `select account.id from read_model.accounts as account
     cross join lateral (
       select sequence from read_model.audit_log where account_id = account.id order by sequence desc limit 1
     ) as last
     left join vault.signed_heads as head on head.account_id = account.id and head.log = $1
     where account.id > $2 and account.erased_at is null and last.sequence > coalesce(head.recorded, 0)
     order by account.id limit $3`,
    [log, after, limit],
  );
  return rows.map(({ id }) => id);
}

/** The head of the last recorded note; undefined if none. */
export async function newestRecorded(pool: pg.Pool, log: string): Promise<SizeOf | undefined> {
  const [row] = await rowsOf<SizeOf>(
    pool,
    `select account_id as "accountId", recorded as size from vault.signed_heads
     where log = $1 and recorded > 0 order by signed_at desc, sequence desc limit 1`,
    [log],
  );
  return row;
}

/** Marks the note of this size as recorded. */
export const markHeadRecorded = (
  pool: pg.Pool,
  { accountId, log, size }: { readonly accountId: AccountId; readonly log: string; readonly size: number },
): Promise<unknown> =>
  pool.query(
    `update vault.signed_heads set recorded = $3 where account_id = $1 and log = $2 and recorded < $3`,
    [accountId, log, size],
  );

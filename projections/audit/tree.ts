import type pg from 'pg';
import {
  emptyFrontier,
  frontierOf,
  leafHash,
  rootOf,
  type Frontier,
  type TreeRow,
  type TreeRows,
} from '../../contracts/audit/tree.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { ownerOf } from '../../infra/event-store/client/owner.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { runNamed, type Schema } from '../engine/table.ts';
import { emptyChain, type ChainHead } from './entry.ts';

/** The end of an account's log: of its chain, and of the tree with its entries' hashes as leaves. */
export interface LogHead extends ChainHead {
  readonly tree: Frontier;
}

interface StoredRow {
  readonly sequence: number;
  readonly hash: string;
  readonly subtrees: string;
}
export interface OwnedRow extends StoredRow {
  readonly account_id: string;
}

/** The leaf of an entry. */
export const leafOf = ({ hash }: { readonly hash: string }): Buffer => leafHash(Buffer.from(hash, 'hex'));

const treeRow = ({ sequence, subtrees, hash }: StoredRow): TreeRow => ({
  ...{ sequence, subtrees },
  leaf: () => leafOf({ hash }),
});

/**
 * The rows of each log at which the perfect subtrees of its tree end: the last one, and then each with the lowest bit of its
 * predecessor's sequence cleared. `last`: a query of `account_id` and the `sequence` of the last one.
 */
export const headsSql = (table: string, last: string): string => `
  select own.account_id, own.sequence, own.hash, own.subtrees
  from (${last}) as last, generate_series(0, 30) as bit, ${table} as own
  where (last.sequence >> bit) & 1 = 1
    and own.account_id = last.account_id and own.sequence = (last.sequence >> bit) << bit
  order by own.account_id, own.sequence`;

/** The last sequence of the account given by an SQL expression. */
export const lastEntrySql = (table: string, accountId: string): string => `
  lateral (
    select sequence from ${table} as entry where entry.account_id = ${accountId} order by sequence desc limit 1
  ) as entry`;

const wantedHeadsSql = (table: string): string =>
  headsSql(
    table,
    `select wanted.account_id, entry.sequence
     from unnest($1::text[]) as wanted (account_id), ${lastEntrySql(table, 'wanted.account_id')}`,
  );

/** The ends of the logs of the events' accounts, as far as they exist. */
export async function headsOf(
  client: pg.ClientBase,
  schema: Schema,
  events: readonly RecordedEvent[],
): Promise<Map<string, LogHead>> {
  const accounts = [...new Set(events.map(ownerOf).filter((id) => id !== undefined))];
  const sql = wantedHeadsSql(`${schema}.audit_log`);
  const { rows } = await runNamed<OwnedRow>(client, `heads-${schema}-audit_log`, sql, [accounts]);
  return headsIn(rows);
}

export function headsIn(rows: readonly OwnedRow[]): Map<string, LogHead> {
  const byAccount = new Map<string, OwnedRow[]>();
  for (const row of rows) {
    const own = byAccount.get(row.account_id);
    if (own === undefined) byAccount.set(row.account_id, [row]);
    else own.push(row);
  }
  const heads = new Map<string, LogHead>();
  for (const [account, own] of byAccount) {
    const { sequence, hash } = own.at(-1) ?? emptyChain;
    heads.set(account, { sequence, hash, tree: frontierOf(own.map(treeRow)) });
  }
  return heads;
}

/** A size of an account's log. */
export interface SizeOf {
  readonly accountId: AccountId;
  readonly size: number;
}

const rootsSql = headsSql(
  'read_model.audit_log',
  'select * from unnest($1::text[], $2::integer[]) as wanted (account_id, sequence)',
);

/** The roots, base64, of the trees of these sizes, by account; none for an account with fewer entries. */
export async function rootsOf(pool: pg.Pool, sizes: readonly SizeOf[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<OwnedRow>({
    name: 'audit-roots',
    text: rootsSql,
    values: [sizes.map(({ accountId }) => accountId), sizes.map(({ size }) => size)],
  });
  const heads = headsIn(rows);
  const found = sizes.map(({ accountId, size }) => {
    const tree = size === 0 ? emptyFrontier() : heads.get(accountId)?.tree;
    return [accountId, tree?.size === size ? rootOf(tree).toString('base64') : undefined] as const;
  });
  return new Map(found.flatMap(([id, root]) => (root === undefined ? [] : [[id, root] as const])));
}

/** The rows of an account's tree, for proofs. */
export const treeRowsOf =
  (pool: pg.Pool, accountId: string): TreeRows =>
  async (sequences) => {
    const { rows } = await pool.query<StoredRow>({
      name: 'audit-tree-rows',
      text: `select sequence, hash, subtrees from read_model.audit_log
             where account_id = $1 and sequence = any($2::integer[])`,
      values: [accountId, sequences],
    });
    return rows.map(treeRow);
  };

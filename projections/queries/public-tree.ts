import type pg from 'pg';
import type { TreeRows } from '../../contracts/audit/tree.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { treeRowOf, type PublicLeafRow } from '../audit/public-leaves.ts';
import type { Schema } from '../engine/table.ts';
import { freshStatement } from './fresh-statement.ts';
import { db, type Queryable } from './tables.ts';

/** The last checkpoint of the public tree. */
export interface PublicHead {
  readonly size: number;
  /** Base64. */
  readonly root: string;
  /** The signed note. */
  readonly note: string;
}

/** Undefined before the first checkpoint. */
export async function publicHead(
  pool: Queryable,
  schema: Schema = 'read_model',
): Promise<PublicHead | undefined> {
  const { rows } = await pool.query<PublicHead>({
    name: `public-head-${schema}`,
    text: `select size, root, note from ${schema}.public_heads`,
  });
  return rows[0];
}

/** Number of leaves in the read model. */
export async function publicSize(pool: Queryable): Promise<number> {
  const { rows } = await pool.query<{ size: number }>({
    name: 'public-size',
    text: 'select coalesce(max(sequence), 0) as size from read_model.public_leaves',
  });
  return rows[0]?.size ?? 0;
}

/** The rows of the public tree, for proofs. */
export const publicTreeRows =
  (pool: pg.Pool, schema: Schema = 'read_model'): TreeRows =>
  async (sequences) => {
    const { rows } = await pool.query<PublicLeafRow>({
      name: `public-tree-rows-${schema}`,
      text: `select * from ${schema}.public_leaves where sequence = any($1::integer[])`,
      values: [sequences],
    });
    return rows.map(treeRowOf);
  };

/** An account's last leaf covered by the last checkpoint; no row before there is one. */
export const anchorOf = freshStatement<
  { readonly accountId: AccountId },
  Omit<PublicLeafRow, 'subtrees' | 'account_id'> & {
    readonly id: AccountId;
    readonly tree_size: number;
    readonly tree_root: string;
    readonly note: string;
  }
>('public-anchor', (parameter) =>
  db
    .selectFrom('read_model.public_leaves as leaf')
    .innerJoin('read_model.public_heads as head', (join) => join.onRef('leaf.sequence', '<=', 'head.size'))
    .select(['leaf.account_id as id', 'leaf.sequence', 'leaf.pseudonym', 'leaf.size', 'leaf.root'])
    .select(['head.size as tree_size', 'head.root as tree_root', 'head.note'])
    .where('leaf.account_id', '=', parameter('accountId'))
    .orderBy('leaf.sequence', 'desc')
    .limit(1),
);

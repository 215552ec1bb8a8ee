import type pg from 'pg';
import { publicLeafHash } from '../../contracts/audit/public-leaf.ts';
import {
  emptyFrontier,
  frontierOf,
  grow,
  subtreesText,
  type Frontier,
  type TreeRow,
} from '../../contracts/audit/tree.ts';
import { publicTreeEvents, type PublicTreeEvent } from '../../contracts/events/public-tree.ts';
import type { AccountId } from '../../contracts/ids.ts';
import type { DataOf } from '../../domain/kit/decider.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { Fold, Projection } from '../engine/projection.ts';
import {
  column,
  runNamed,
  textOf,
  writeRows,
  type Positioned,
  type RowOf,
  type Schema,
  type Table,
} from '../engine/table.ts';

const columns = {
  /** From 1: the size of the public tree that ends with the leaf. */
  sequence: column.integer,
  account_id: textOf<AccountId>(),
  pseudonym: column.text,
  /** Size of the account's own tree. */
  size: column.integer,
  root: column.text,
  /** Roots of the perfect subtrees of the public tree that the leaf completes: base64, smallest first. */
  subtrees: column.text,
};
export type PublicLeafRow = RowOf<typeof columns>;

const table: Table<typeof columns> = {
  name: 'public_leaves',
  columns,
  key: ['sequence'],
  indexes: ['(account_id, sequence)'],
  handlers: 1,
};

/** The public tree. Rows are only inserted. */
export const publicLeaves: Projection = {
  name: table.name,
  table,
  categories: [publicTreeEvents.name],
  types: new Set(['HeadsAnchored']),
  rowOf: ({ stream }) => stream,
  concernsOthers: true,
  open: async (client, schema) => growing(client, schema, await frontierIn(client, schema)),
};

export const treeRowOf = ({ sequence, subtrees, ...leaf }: PublicLeafRow): TreeRow => ({
  ...{ sequence, subtrees },
  leaf: () => publicLeafHash(leaf),
});

const frontierSql = (name: string): string => `
  select own.* from (select max(sequence) as sequence from ${name}) as last, generate_series(0, 30) as bit, ${name} as own
  where (last.sequence >> bit) & 1 = 1 and own.sequence = (last.sequence >> bit) << bit
  order by own.sequence`;

async function frontierIn(client: pg.ClientBase, schema: Schema): Promise<Frontier> {
  const name = `${schema}.${table.name}`;
  const { rows } = await runNamed<PublicLeafRow>(client, `frontier-${name}`, frontierSql(name), []);
  return rows.length === 0 ? emptyFrontier() : frontierOf(rows.map(treeRowOf));
}

function growing(client: pg.ClientBase, schema: Schema, tree: Frontier): Fold {
  const added: Positioned<PublicLeafRow>[] = [];
  return {
    apply({ data, position }: RecordedEvent) {
      const { first, leaves } = data as DataOf<PublicTreeEvent, 'HeadsAnchored'>;
      if (first !== tree.size) throw new Error(`The public tree has ${tree.size} leaves, and not ${first}.`);
      for (const { accountId, ...leaf } of leaves) {
        const subtrees = subtreesText(grow(tree, publicLeafHash(leaf)));
        added.push({ row: { sequence: tree.size, account_id: accountId, ...leaf, subtrees }, position });
      }
    },
    write: () => writeRows(client, schema, table, 'insert', added),
  };
}

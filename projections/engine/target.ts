import type pg from 'pg';
import type { Position } from '../../infra/event-store/client/types.ts';
import { origin } from '../../infra/event-store/client/position.ts';
import { fromColumns, type PositionColumns } from '../../infra/postgres/position-columns.ts';
import type { Schema } from './table.ts';

/**
 * Where a batch goes: a schema's tables and the checkpoint that moves with them. The live tables share one checkpoint;
 * a copy that is being built, or kept for a rollback, has its own.
 */
export interface Target {
  readonly schema: Schema;
  readonly checkpoint: string;
}

export const live: Target = { schema: 'read_model', checkpoint: 'read_model' };
export const copyOf = (projection: string, schema: 'shadow' | 'previous'): Target => ({
  schema,
  checkpoint: `${schema}:${projection}`,
});

/** How far the target's tables are: the position of the last event applied to them. */
export async function readCheckpoint(
  client: pg.ClientBase | pg.Pool,
  { checkpoint }: Target,
): Promise<Position> {
  const { rows } = await client.query<PositionColumns>(
    'select commit_position, prepare_position from runtime.checkpoints where name = $1',
    [checkpoint],
  );
  return rows[0] === undefined ? origin : fromColumns(rows[0]);
}

/** Reads the checkpoint and keeps every other writer of the target out until the transaction ends. */
export async function lockCheckpoint(client: pg.ClientBase, target: Target): Promise<Position> {
  const locked = await lockRow(client, target);
  if (locked !== undefined) return locked;
  await client.query(
    `insert into runtime.checkpoints (name, commit_position, prepare_position) values ($1, -1, -1)
     on conflict (name) do nothing`,
    [target.checkpoint],
  );
  return (await lockRow(client, target)) ?? origin;
}

async function lockRow(client: pg.ClientBase, { checkpoint }: Target): Promise<Position | undefined> {
  const { rows } = await client.query<PositionColumns>({
    name: 'lock-checkpoint',
    text: 'select commit_position, prepare_position from runtime.checkpoints where name = $1 for update',
    values: [checkpoint],
  });
  return rows[0] && fromColumns(rows[0]);
}

/** Only ever forward: an older position changes nothing. */
export async function moveCheckpoint(client: pg.ClientBase, target: Target, to: Position): Promise<void> {
  await client.query({
    name: 'move-checkpoint',
    text: `update runtime.checkpoints set commit_position = $2, prepare_position = $3, moved_at = now()
      where name = $1 and (commit_position, prepare_position) < ($2::bigint, $3::bigint)`,
    values: [target.checkpoint, String(to.commit), String(to.prepare)],
  });
}

import type pg from 'pg';
import type { Position } from '../../infra/event-store/client/types.ts';
import { compare, origin } from '../../infra/event-store/client/position.ts';
import { fromColumns, type PositionColumns } from '../../infra/postgres/position-columns.ts';
import type { Schema } from './table.ts';

/**
 * The target of a batch: a schema's tables and their checkpoint. The live tables share one checkpoint; a copy that is being
 * built, or kept for a rollback, has its own.
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

/** A live table of another version than its code: served as it is until a new one replaces it. */
export interface OutdatedTable {
  /** The last event applied to it. */
  readonly position: Position;
  /** The term that builds its replacement. No other term may swap: a later one may build another version. */
  readonly builder: string | null;
}

export type Outdated = ReadonlyMap<string, OutdatedTable>;

/** Stored with the live checkpoint, so that both are read and locked together. Null if no table is outdated. */
export interface OutdatedColumn {
  readonly outdated: Readonly<
    Record<string, { readonly commit: string; readonly prepare: string; readonly builder: string | null }>
  > | null;
}

export interface Checkpoint {
  /** Position of the last event applied to the target's tables. */
  readonly position: Position;
  /** Live tables that are outdated: nothing is applied to them until they are replaced. */
  readonly outdated: Outdated;
}

type CheckpointRow = PositionColumns & OutdatedColumn;
type Queryable = Pick<pg.Pool, 'query'>;

const none: Checkpoint = { position: origin, outdated: new Map() };
const selected =
  'select commit_position, prepare_position, outdated from runtime.checkpoints where name = $1';

export async function loadCheckpoint(
  client: pg.ClientBase | pg.Pool,
  { checkpoint }: Target,
): Promise<Checkpoint> {
  const { rows } = await client.query<CheckpointRow>(selected, [checkpoint]);
  return rows[0] === undefined ? none : checkpointOf(rows[0]);
}

export const readCheckpoint = async (client: pg.ClientBase | pg.Pool, target: Target): Promise<Position> =>
  (await loadCheckpoint(client, target)).position;

/** Position of the live tables; undefined if they never started. */
export async function projectedUpTo(client: Queryable): Promise<Position | undefined> {
  const { rows } = await client.query<CheckpointRow>(selected, [live.checkpoint]);
  return rows[0] && fromColumns(rows[0]);
}

/** Whether these live tables include every event up to the position, except for parked ones, and are not outdated. */
export async function includesUpTo(
  client: Queryable,
  tables: readonly string[],
  { commit, prepare }: Position,
): Promise<boolean> {
  const { rows } = await client.query(
    `select from runtime.checkpoints
     where name = $1 and (commit_position, prepare_position) >= ($2::bigint, $3::bigint)
       and not coalesce(outdated ?| $4::text[], false)`,
    [live.checkpoint, commit, prepare, tables],
  );
  return rows.length > 0;
}

/** Locks the checkpoint against other writers until the transaction ends, and reads it. */
export async function lockCheckpoint(client: pg.ClientBase, target: Target): Promise<Checkpoint> {
  const locked = await lockRow(client, target);
  if (locked !== undefined) return locked;
  await client.query(
    `insert into runtime.checkpoints (name, commit_position, prepare_position) values ($1, -1, -1)
     on conflict (name) do nothing`,
    [target.checkpoint],
  );
  return (await lockRow(client, target)) ?? none;
}

async function lockRow(client: pg.ClientBase, { checkpoint }: Target): Promise<Checkpoint | undefined> {
  const { rows } = await client.query<CheckpointRow>({
    name: 'lock-checkpoint',
    text: `${selected} for update`,
    values: [checkpoint],
  });
  return rows[0] && checkpointOf(rows[0]);
}

const checkpointOf = (row: CheckpointRow): Checkpoint => ({
  position: fromColumns(row),
  outdated: outdatedIn(row),
});

/** Moves forward only: an older position is ignored. */
export async function moveCheckpoint(client: pg.ClientBase, target: Target, to: Position): Promise<void> {
  await client.query({
    name: 'move-checkpoint',
    text: `insert into runtime.checkpoints as reached (name, commit_position, prepare_position) values ($1, $2, $3)
      on conflict (name) do update
        set commit_position = excluded.commit_position, prepare_position = excluded.prepare_position, moved_at = now()
        where (reached.commit_position, reached.prepare_position)
          < (excluded.commit_position, excluded.prepare_position)`,
    values: [target.checkpoint, String(to.commit), String(to.prepare)],
  });
}

export function outdatedIn({ outdated }: OutdatedColumn): Outdated {
  return new Map(
    Object.entries(outdated ?? {}).map(([name, { commit, prepare, builder }]) => [
      name,
      { position: { commit: BigInt(commit), prepare: BigInt(prepare) }, builder },
    ]),
  );
}

/** Requires a transaction that has locked the live checkpoint. */
export async function storeOutdated(client: pg.ClientBase, outdated: Outdated): Promise<void> {
  const stored = Object.fromEntries(
    [...outdated].map(([name, { position, builder }]) => [
      name,
      { commit: String(position.commit), prepare: String(position.prepare), builder },
    ]),
  );
  await client.query("update runtime.checkpoints set outdated = $1 where name = 'read_model'", [
    outdated.size === 0 ? null : JSON.stringify(stored),
  ]);
}

/** Position of the least advanced of some live tables when the checkpoint is at `position`. */
export function leastAdvanced(tables: readonly string[], position: Position, outdated: Outdated): Position {
  let reached = position;
  for (const table of tables) {
    const behind = outdated.get(table)?.position;
    if (behind !== undefined && compare(behind, reached) < 0) reached = behind;
  }
  return reached;
}

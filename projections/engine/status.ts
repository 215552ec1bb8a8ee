import type pg from 'pg';
import type { EventStore, Position, RecordedEvent } from '../../infra/event-store/client/types.ts';
import { compare, isAfter, origin, startAfter } from '../../infra/event-store/client/position.ts';
import { fromColumns, type PositionColumns } from '../../infra/postgres/position-columns.ts';
import { allPrefixes, projections } from '../catalogue.ts';
import { countParked } from './parking.ts';
import type { Projection } from './projection.ts';
import { recordedVersions } from './recorded-versions.ts';
import { versionOf } from './table.ts';
import { copyOf, live, loadCheckpoint, type Checkpoint } from './checkpoint.ts';

export interface ReadModelStatus {
  readonly projection: string;
  /** Version of the served table; null: made by a release that recorded none. */
  readonly version: string | null;
  /** Version of this release's table. If they differ, its projector builds that one. */
  readonly wanted_version: string;
  /** A copy being built, to replace the table or to be compared with it; null if none. */
  readonly building: { readonly fraction: number } | null;
  readonly rows: number;
  readonly parked: number;
  /** Log position of the table; null before the first event. */
  readonly checkpoint: { readonly commit: string; readonly prepare: string } | null;
  /** True if the log has events that are not applied to the table yet. */
  readonly behind: boolean;
}

interface Copy extends Partial<PositionColumns> {
  readonly is_being_built: boolean;
}

export async function projectionStatus({
  store,
  pool,
}: {
  readonly store: EventStore;
  readonly pool: pg.Pool;
}): Promise<ReadModelStatus[]> {
  const [checkpoint, versions, parked] = await Promise.all([
    loadCheckpoint(pool, live),
    recordedVersions(pool, live.schema),
    countParked(pool),
  ]);
  const isBehind = (await firstEventAfter(store, checkpoint.position)) !== undefined;
  return Promise.all(
    projections.map(async (projection) => {
      const { name, table } = projection;
      const outdated = checkpoint.outdated.get(name);
      return {
        projection: name,
        version: versions.get(name) ?? null,
        wanted_version: versionOf(table),
        building: await copyUnderWay(pool, projection, checkpoint),
        rows: await countRows(pool, name),
        parked: parked.get(name) ?? 0,
        checkpoint: shown(outdated?.position ?? checkpoint.position),
        behind: outdated !== undefined || isBehind,
      };
    }),
  );
}

/**
 * The first of our events after the position. The head of the log does not show whether there is one: it may be a
 * foreign event.
 */
async function firstEventAfter(
  store: Pick<EventStore, 'readAll'>,
  position: Position,
): Promise<RecordedEvent | undefined> {
  for await (const event of store.readAll({ from: startAfter(position), prefixes: allPrefixes, limit: 2 })) {
    if (isAfter(event.position, position)) return event;
  }
  return undefined;
}

/** When the oldest event not in the live tables was appended; undefined if there is none. */
export async function unappliedSince({
  store,
  pool,
}: {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly pool: pg.Pool;
}): Promise<Date | undefined> {
  const { position } = await loadCheckpoint(pool, live);
  return (await firstEventAfter(store, position))?.created;
}

/** The builder of a copy holds the lock of `rebuild.ts`, whose key `pg_locks` shows in two halves. */
async function copyUnderWay(
  pool: pg.Pool,
  { name }: Projection,
  { position }: Checkpoint,
): Promise<ReadModelStatus['building']> {
  const { rows } = await pool.query<Copy>(
    `select commit_position, prepare_position, exists (
       select from pg_locks
       where locktype = 'advisory' and objsubid = 1 and granted
         and database = (select oid from pg_database where datname = current_database())
         and (classid::bigint << 32) | objid::bigint = hashtextextended('rebuild ' || $2, 0)
     ) as is_being_built
     from (select 1) as always left join runtime.checkpoints on name = $1`,
    [copyOf(name, 'shadow').checkpoint, name],
  );
  const [copy] = rows;
  if (copy?.is_being_built !== true) return null;
  const { commit_position, prepare_position } = copy;
  const reached =
    commit_position && prepare_position ? fromColumns({ commit_position, prepare_position }) : origin;
  const fraction = (Number(reached.commit) + 1) / Math.max(1, Number(position.commit) + 1);
  return { fraction: Math.min(1, fraction) };
}

async function countRows(pool: pg.Pool, name: string): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(`select count(*) from ${live.schema}.${name}`);
  return Number(rows[0]?.count ?? 0);
}

const shown = (position: Position): ReadModelStatus['checkpoint'] =>
  compare(position, origin) === 0
    ? null
    : { commit: String(position.commit), prepare: String(position.prepare) };

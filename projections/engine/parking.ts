import type pg from 'pg';
import type { EventStore, Position, RecordedEvent } from '../../infra/event-store/client/types.ts';
import { parkedEvent, parkingIn, type Parked as ParkedAt } from '../../infra/log-follower/parking.ts';
import { messageOf } from '../../infra/platform/error-message.ts';
import { inTransaction } from '../../infra/postgres/transaction.ts';
import { projectionNamed } from '../catalogue.ts';
import { fromColumns, toColumns } from '../../infra/postgres/position-columns.ts';
import type { Projection } from './projection.ts';
import { versionOf, type Schema } from './table.ts';
import { recordedVersions } from './recorded-versions.ts';
import { live, lockCheckpoint } from './checkpoint.ts';

/** A parked event, in the order of the log. Only its address is stored. */
export interface Parked {
  readonly schema: Schema;
  readonly projection: string;
  readonly row: string;
  readonly event: RecordedEvent;
  readonly reason: string;
}

export const waitsBehind = 'waits behind an earlier event of the same row';

/** The row of an event, or its stream if the row cannot be determined. */
export function rowOrStream(projection: Projection, event: RecordedEvent): string {
  try {
    return projection.rowOf(event);
  } catch {
    return event.stream;
  }
}

/** Rows with parked events, by projection: later events of those rows must be parked too. */
export async function blockedRows(client: pg.ClientBase, schema: Schema): Promise<Map<string, Set<string>>> {
  const { rows } = await client.query<{ projection: string; row_key: string }>({
    name: 'blocked-rows',
    text: 'select distinct projection, row_key from runtime.parked where schema = $1',
    values: [schema],
  });
  const blocked = new Map<string, Set<string>>();
  for (const { projection, row_key } of rows) {
    const keys = blocked.get(projection) ?? new Set();
    blocked.set(projection, keys.add(row_key));
  }
  return blocked;
}

const place = ['schema', 'projection', 'row_key', 'commit_position', 'prepare_position'] as const;
type Place = Readonly<Record<(typeof place)[number], string>>;

const parkingOf = (client: pg.ClientBase | pg.Pool) =>
  parkingIn<Place>(client, {
    table: 'runtime.parked',
    place,
    unique: ['schema', 'projection', 'commit_position', 'prepare_position'],
    order: 'commit_position, prepare_position, projection',
  });

export async function park(client: pg.ClientBase, parked: readonly Parked[]): Promise<void> {
  for (const { schema, projection, row, event, reason } of parked) {
    const at = { schema, projection, row_key: row, ...toColumns(event.position) };
    await parkingOf(client).park(at, event, { reason, attempts: 1 });
  }
}

export interface ParkedEvent extends Pick<
  ParkedAt<Place>,
  'stream' | 'revision' | 'reason' | 'attempts' | 'parkedAt'
> {
  readonly projection: string;
  readonly row: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly position: Position;
}

/** The parked events of the live read models, in the order of the log. */
export async function listParked(client: pg.ClientBase | pg.Pool): Promise<ParkedEvent[]> {
  const parked = await parkingOf(client).list({ schema: live.schema });
  return parked.map(({ place: at, id: eventId, type: eventType, ...event }) => ({
    ...{ projection: at.projection, row: at.row_key, position: fromColumns(at) },
    ...{ eventId, eventType, ...event },
  }));
}

/**
 * Number of parked events of the live read models, by projection. What is parked for a copy concerns no reader, and stays as long as the
 * copy: a table that is kept for a rollback has what it could not apply, although the one that replaced it has applied all.
 */
export async function countParked(client: pg.ClientBase | pg.Pool): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ projection: string; count: number }>(
    'select projection, count(*)::integer from runtime.parked where schema = $1 group by 1',
    [live.schema],
  );
  return new Map(rows.map(({ projection, count }) => [projection, count]));
}

export interface Retried {
  readonly applied: number;
  /** Rows whose first parked event failed again; the events behind it stay parked. */
  readonly stillParked: number;
}

/**
 * Applies parked events again, in order per row, after the cause was fixed. The live projector is blocked meanwhile, so that no
 * later event of a row overtakes. Events parked for an outdated table stay: its replacement is built from the whole log.
 */
export const retryParked = ({ store, pool }: { store: EventStore; pool: pg.Pool }): Promise<Retried> =>
  inTransaction(pool, async (client) => {
    const { outdated } = await lockCheckpoint(client, live);
    const versions = await recordedVersions(client, live.schema);
    const isOurs = (name: string) =>
      !outdated.has(name) && versions.get(name) === versionOf(projectionNamed(name).table);
    const failed = new Set<string>();
    let applied = 0;
    for (const parked of await parkingOf(client).list({ schema: live.schema })) {
      const { projection, row_key } = parked.place;
      const row = `${projection} ${row_key}`;
      if (failed.has(row)) continue;
      if (isOurs(projection) && (await retry(client, store, parked))) applied += 1;
      else failed.add(row);
    }
    return { applied, stillParked: failed.size };
  });

async function retry(client: pg.ClientBase, store: EventStore, parked: ParkedAt<Place>): Promise<boolean> {
  const { stream, revision } = parked;
  await client.query('savepoint retry');
  try {
    const event = await parkedEvent(store, parked);
    if (event === undefined) throw new Error(`${stream} has no event ${revision} any more`);
    await applyOne(client, projectionNamed(parked.place.projection), event);
    await parkingOf(client).unpark(parked.place, parked);
    return true;
  } catch (error) {
    await client.query('rollback to savepoint retry');
    const reason = messageOf(error);
    await parkingOf(client).park(parked.place, parked, { reason, attempts: 1 });
    return false;
  }
}

async function applyOne(client: pg.ClientBase, projection: Projection, event: RecordedEvent): Promise<void> {
  const fold = await projection.open(client, live.schema, [event]);
  fold.apply(event);
  await fold.write();
}

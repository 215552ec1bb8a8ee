import type pg from 'pg';
import type { EventStore, Position, RecordedEvent } from '../../infra/event-store/client/types.ts';
import { inTransaction } from '../../infra/postgres/transaction.ts';
import { projectionNamed } from '../catalogue.ts';
import { fromColumns, type PositionColumns } from '../../infra/postgres/position-columns.ts';
import type { Projection } from './projection.ts';
import { versionOf, type Schema } from './table.ts';
import { recordedVersions } from './recorded-versions.ts';
import { live, lockCheckpoint } from './checkpoint.ts';

/** An event set aside, in the order of the log. Only its address is kept: the event itself stays where it is. */
export interface Parked {
  readonly schema: Schema;
  readonly projection: string;
  readonly row: string;
  readonly event: RecordedEvent;
  readonly reason: string;
}

export const waitsBehind = 'waits behind an earlier event of the same row';

/** The row an event belongs to. One whose row cannot be determined blocks its stream. */
export function rowOrStream(projection: Projection, event: RecordedEvent): string {
  try {
    return projection.rowOf(event);
  } catch {
    return event.stream;
  }
}

/** The rows of each projection that have parked events: later events of those rows must park too. */
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

export async function park(client: pg.ClientBase, parked: readonly Parked[]): Promise<void> {
  for (const { schema, projection, row, event, reason } of parked) {
    await client.query(
      `insert into runtime.parked
         (schema, projection, row_key, commit_position, prepare_position, event_id, event_type, stream, revision, reason)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       on conflict do nothing`,
      [
        schema,
        projection,
        printable(row),
        String(event.position.commit),
        String(event.position.prepare),
        event.id,
        printable(event.type),
        printable(event.stream),
        String(event.revision),
        printable(reason).slice(0, 1000),
      ],
    );
  }
}

/** Postgres text holds no NUL, and what gets parked may be parked for having one. */
const printable = (text: string): string => text.replaceAll('\u0000', '\uFFFD');

export interface ParkedEvent {
  readonly projection: string;
  readonly row: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly stream: string;
  readonly revision: bigint;
  readonly position: Position;
  readonly reason: string;
  readonly attempts: number;
  readonly parkedAt: Date;
}

/** The parked events of the live read models, in the order of the log. */
export async function listParked(client: pg.ClientBase | pg.Pool): Promise<ParkedEvent[]> {
  type Row = Omit<ParkedEvent, 'revision' | 'position'> & PositionColumns & { readonly revision: string };
  const { rows } = await client.query<Row>(
    `select projection, row_key as row, event_id as "eventId", event_type as "eventType", stream, revision,
       commit_position, prepare_position, reason, attempts, parked_at as "parkedAt"
     from runtime.parked where schema = $1 order by commit_position, prepare_position, projection`,
    [live.schema],
  );
  return rows.map(({ revision, commit_position, prepare_position, ...row }) => ({
    ...row,
    revision: BigInt(revision),
    position: fromColumns({ commit_position, prepare_position }),
  }));
}

/** Number of parked events by projection; copies being built, or kept for a rollback, are counted on request. */
export async function countParked(
  client: pg.ClientBase | pg.Pool,
  schemas: readonly Schema[] = ['read_model', 'shadow', 'previous'],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ projection: string; count: number }>(
    'select projection, count(*)::integer from runtime.parked where schema = any($1) group by 1',
    [schemas],
  );
  return new Map(rows.map(({ projection, count }) => [projection, count]));
}

export interface Retried {
  readonly applied: number;
  /** Rows whose first parked event failed again; the events behind it stay parked. */
  readonly stillParked: number;
}

/**
 * Applies parked events again, each row's in order, after the cause was fixed. The live projector is held back
 * meanwhile, so that no later event of a row overtakes the ones that waited. What is parked for a table of another version
 * stays so: the table that replaces it is made from the whole log.
 */
export const retryParked = ({ store, pool }: { store: EventStore; pool: pg.Pool }): Promise<Retried> =>
  inTransaction(pool, async (client) => {
    const { outdated } = await lockCheckpoint(client, live);
    const versions = await recordedVersions(client, live.schema);
    const isOurs = (name: string) =>
      !outdated.has(name) && versions.get(name) === versionOf(projectionNamed(name).table);
    const failed = new Set<string>();
    let applied = 0;
    for (const parked of await listParked(client)) {
      const row = `${parked.projection} ${parked.row}`;
      if (failed.has(row)) continue;
      if (!isOurs(parked.projection)) {
        failed.add(row);
        continue;
      }
      if (await retry(client, store, parked)) applied += 1;
      else failed.add(row);
    }
    return { applied, stillParked: failed.size };
  });

async function retry(client: pg.ClientBase, store: EventStore, parked: ParkedEvent): Promise<boolean> {
  const where = [
    live.schema,
    parked.projection,
    String(parked.position.commit),
    String(parked.position.prepare),
  ];
  const one = 'schema = $1 and projection = $2 and commit_position = $3 and prepare_position = $4';
  await client.query('savepoint retry');
  try {
    await applyOne(client, projectionNamed(parked.projection), await fetch(store, parked));
    await client.query(`delete from runtime.parked where ${one}`, where);
    return true;
  } catch (error) {
    await client.query('rollback to savepoint retry');
    const reason = error instanceof Error ? error.message : String(error);
    await client.query(`update runtime.parked set attempts = attempts + 1, reason = $5 where ${one}`, [
      ...where,
      reason,
    ]);
    return false;
  }
}

async function applyOne(client: pg.ClientBase, projection: Projection, event: RecordedEvent): Promise<void> {
  const fold = await projection.open(client, live.schema, [event]);
  fold.apply(event);
  await fold.write();
}

async function fetch(store: EventStore, { stream, revision }: ParkedEvent): Promise<RecordedEvent> {
  for await (const event of store.readStream(stream, { from: revision, limit: 1 })) return event;
  throw new Error(`${stream} has no event ${revision} any more`);
}

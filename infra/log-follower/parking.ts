import type pg from 'pg';
import type { EventStore, RecordedEvent } from '../event-store/client/types.ts';

/** Columns, by name, that say where a parked event belongs. */
type Place = Readonly<Record<string, string>>;

interface ParkingTable<P extends Place> {
  readonly table: string;
  readonly place: readonly (keyof P & string)[];
  /** An event is parked once for each value of these columns. */
  readonly unique: readonly string[];
  readonly order: string;
}

/** The address of an event in the log, where the event itself stays. */
type Address = Pick<RecordedEvent, 'id' | 'type' | 'stream' | 'revision'>;

interface Failure {
  readonly reason: string;
  readonly attempts: number;
}

export interface Parked<P extends Place> extends Address, Failure {
  readonly place: P;
  readonly parkedAt: Date;
}

/** Events that could not be applied, or reacted to, set aside with the reason until they are tried again. */
export interface Parking<P extends Place> {
  /** Parks an event, or adds the attempts to those of one that is parked already. */
  park(place: P, event: Address, failure: Failure): Promise<void>;
  /** In the table's order; only those with these values of a place. */
  list(within?: Partial<P>): Promise<readonly Parked<P>[]>;
  unpark(place: P, event: Pick<Address, 'id'>): Promise<void>;
}

const longestReason = 1000;

/** Postgres text holds no NUL, and an event may be parked for having one. */
const printable = (text: string): string => text.replaceAll('\u0000', '\uFFFD');

export function parkingIn<P extends Place>(
  client: Pick<pg.ClientBase, 'query'>,
  { table, place: columns, unique, order }: ParkingTable<P>,
): Parking<P> {
  const inserted = [...columns, 'event_id', 'event_type', 'stream', 'revision', 'reason', 'attempts'];
  return {
    async park(place, { id, type, stream, revision }, { reason, attempts }) {
      const texts = [...columns.map((column) => place[column] ?? ''), id, type, stream, String(revision)];
      await client.query(
        `insert into ${table} as parked (${inserted.join(', ')}) values (${inserted.map((_, index) => `$${index + 1}`).join(', ')})
         on conflict (${unique.join(', ')}) do update
           set reason = excluded.reason, attempts = parked.attempts + excluded.attempts`,
        [...texts.map(printable), printable(reason).slice(0, longestReason), attempts],
      );
    },
    async list(within = {}) {
      const { where, values } = matching(within);
      const { rows } = await client.query<Parked<P> & { readonly revision: string }>(
        `select json_build_object(${columns.map((name) => `'${name}', ${name}::text`).join(', ')}) as place,
           event_id as id, event_type as type, stream, revision, reason, attempts, parked_at as "parkedAt"
         from ${table} ${where} order by ${order}`,
        values,
      );
      return rows.map((row) => ({ ...row, revision: BigInt(row.revision) }));
    },
    async unpark(place, { id }) {
      const { where, values } = matching({ ...place, event_id: id });
      await client.query(`delete from ${table} ${where}`, values);
    },
  };
}

function matching(columns: Partial<Place>) {
  const conditions = Object.keys(columns).map((name, index) => `${name} = $${index + 1}`);
  return { where: ['where true', ...conditions].join(' and '), values: Object.values(columns) };
}

/** The parked event itself; undefined if its stream does not have it. */
export async function parkedEvent(
  store: Pick<EventStore, 'readStream'>,
  { stream, revision }: Pick<Address, 'stream' | 'revision'>,
): Promise<RecordedEvent | undefined> {
  for await (const event of store.readStream(stream, { from: revision, limit: 1 })) return event;
  return undefined;
}

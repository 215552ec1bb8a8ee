import type pg from 'pg';
import type { EventStore, RecordedEvent } from '../event-store/client/types.ts';

/** Columns, by name, that identify a parked event's consumer. */
type Place = Readonly<Record<string, string>>;

interface ParkingTable<P extends Place> {
  readonly table: string;
  readonly place: readonly (keyof P & string)[];
  /** An event is parked once per value of these columns. */
  readonly unique: readonly string[];
  readonly order: string;
}

/** The address of an event in the log. */
type Address = Pick<RecordedEvent, 'id' | 'type' | 'stream' | 'revision'>;

interface Failure {
  readonly reason: string;
  readonly attempts: number;
}

export interface Parked<P extends Place> extends Address, Failure {
  readonly place: P;
  readonly parkedAt: Date;
}

/** Parked events with the reason of their failure, to be retried. */
export interface Parking<P extends Place> {
  /** Parks an event, or adds to the attempts of a parked one. */
  park(place: P, event: Address, failure: Failure): Promise<void>;
  /** In the table's order; optionally only with these column values. */
  list(within?: Partial<P>): Promise<readonly Parked<P>[]>;
  unpark(place: P, event: Pick<Address, 'id'>): Promise<void>;
}

const longestReason = 1000;

/** Postgres text cannot contain NUL, which may be the reason for parking. */
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

/** The parked event; undefined if its stream does not have it. */
export async function parkedEvent(
  store: Pick<EventStore, 'readStream'>,
  { stream, revision }: Pick<Address, 'stream' | 'revision'>,
): Promise<RecordedEvent | undefined> {
  for await (const event of store.readStream(stream, { from: revision, limit: 1 })) return event;
  return undefined;
}

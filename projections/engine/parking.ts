import type pg from 'pg';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { Projection } from './projection.ts';
import type { Schema } from './table.ts';

/** An event set aside, in the order of the log. Only its address is kept: the event itself stays where it is. */
export interface Parked {
  readonly schema: Schema;
  readonly projection: string;
  readonly row: string;
  readonly event: RecordedEvent;
  readonly reason: string;
}

export const waitsBehind = 'waits behind an earlier event of the same row';

/** The row an event belongs to. One whose row cannot be told stands for its stream. */
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

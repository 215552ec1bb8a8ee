import type pg from 'pg';
import { ownerOf } from '../../infra/event-store/client/owner.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { runNamed, type Columns, type RowOf, type Schema, type Table } from './table.ts';

/** For each account of the events, the last row of a table keyed by account and sequence. */
export async function lastRows<C extends Columns, Name extends keyof C & string>(
  client: pg.ClientBase,
  schema: Schema,
  { name, key }: Table<C>,
  columns: readonly Name[],
  events: readonly RecordedEvent[],
): Promise<readonly Pick<RowOf<C>, Name>[]> {
  const accounts = new Set(events.map(ownerOf).filter((id) => id !== undefined));
  const { rows } = await runNamed<Pick<RowOf<C>, Name>>(
    client,
    `last-${schema}-${name}`,
    `select last.* from unnest($1::text[]) as wanted (account_id),
       lateral (
         select ${columns.join(', ')} from ${schema}.${name} as own
         where own.account_id = wanted.account_id order by ${key[1]} desc limit 1
       ) as last`,
    [[...accounts]],
  );
  return rows;
}

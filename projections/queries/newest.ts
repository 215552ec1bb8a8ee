import type { Columns, ReadRowOf, Table } from '../engine/table.ts';
import { rowsOf, type Queryable } from './tables.ts';

interface Wanted<C extends Columns, Shown extends keyof C> {
  readonly columns: readonly Shown[];
  /** Required values of columns; undefined: any. */
  readonly where?: { readonly [Name in keyof C]?: ReadRowOf<C>[Name] | undefined };
  /** An additional condition, in SQL. */
  readonly only?: string;
  readonly limit: number;
}

/** Rows of a read model, newest first, for an operator. */
export function newest<C extends Columns, Shown extends keyof C & string>(
  pool: Queryable,
  { table }: { readonly table: Table<C> },
  { columns, where = {}, only = 'true', limit }: Wanted<C, Shown>,
): Promise<Pick<ReadRowOf<C>, Shown>[]> {
  const asked = Object.entries<unknown>(where).filter(([, value]) => value !== undefined);
  const conditions = [only, ...asked.map(([name], index) => `${name} = $${index + 2}`)];
  return rowsOf(
    pool,
    `select ${columns.join(', ')} from read_model.${table.name} where ${conditions.join(' and ')}
     order by created_at desc, id desc limit $1`,
    [limit, ...asked.map(([, value]) => value)],
  );
}

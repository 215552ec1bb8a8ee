import type pg from 'pg';
import type { Schema, Table } from './table.ts';

/** The rows of a table in two numbers: equal tables have equal ones, whatever order their rows were written in. */
export interface Checksum {
  readonly rows: number;
  readonly hash: string;
}

/** The positions are left out: they say when a row was written, and a row retried after parking has a later one. */
export async function checksum(
  client: pg.ClientBase,
  schema: Schema,
  { name, columns }: Table,
): Promise<Checksum> {
  const fields = Object.keys(columns).join(', ');
  const { rows } = await client.query<{ rows: string; hash: string }>(
    `select count(*) as rows, coalesce(sum(hashtextextended(row(${fields})::text, 0)), 0)::text as hash
     from ${schema}.${name}`,
  );
  return { rows: Number(rows[0]?.rows ?? 0), hash: rows[0]?.hash ?? '0' };
}

export const sameRows = (a: Checksum, b: Checksum): boolean => a.rows === b.rows && a.hash === b.hash;

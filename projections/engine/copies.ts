import type pg from 'pg';
import type { Position } from '../../infra/event-store/client/types.ts';
import type { Projection } from './projection.ts';
import { createTable, type Schema, type Table } from './table.ts';
import { copyOf } from './checkpoint.ts';

/** Starts an empty copy of the table; drops remains of an interrupted rebuild. */
export async function createShadow(client: pg.ClientBase, { name, table }: Projection): Promise<void> {
  await dropShadow(client, name);
  await client.query(createTable(table, 'shadow'));
}

export async function dropShadow(client: pg.ClientBase, name: string): Promise<void> {
  await client.query(`drop table if exists shadow.${name}`);
  await forget(client, 'shadow', name);
}

async function forget(client: pg.ClientBase, schema: 'shadow' | 'previous', name: string): Promise<void> {
  await client.query('delete from runtime.checkpoints where name = $1', [copyOf(name, schema).checkpoint]);
  await client.query('delete from runtime.parked where schema = $1 and projection = $2', [schema, name]);
}

export async function hasPrevious(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [
    `previous.${name}`,
  ]);
  return rows[0]?.found ?? false;
}

/**
 * Makes the copy the live table, and moves the live table, which is `at` that log position, to `previous`, within the caller's
 * transaction, which has locked the live checkpoint: readers see one table or the other.
 */
export async function promote(
  client: pg.ClientBase,
  name: string,
  from: 'shadow' | 'previous',
  at: Position,
): Promise<void> {
  // Indexes keep their names, so a schema cannot contain two copies of a table, not even briefly.
  await client.query(`alter table if exists read_model.${name} set schema runtime`);
  await client.query(`alter table ${from}.${name} set schema read_model`);
  await client.query(`drop table if exists previous.${name}`);
  await client.query(`alter table if exists runtime.${name} set schema previous`);
  await moveParked(client, name, from);
  await client.query('delete from runtime.checkpoints where name = $1', [copyOf(name, from).checkpoint]);
  await client.query(
    `insert into runtime.checkpoints (name, commit_position, prepare_position) values ($1, $2, $3)
     on conflict (name) do update
       set commit_position = excluded.commit_position, prepare_position = excluded.prepare_position, moved_at = now()`,
    [copyOf(name, 'previous').checkpoint, String(at.commit), String(at.prepare)],
  );
}

/** Parked events belong to the table that they could not be applied to, and move with it. */
async function moveParked(client: pg.ClientBase, name: string, from: 'shadow' | 'previous'): Promise<void> {
  const move = 'update runtime.parked set schema = $3 where schema = $1 and projection = $2';
  await client.query(move, [from, name, 'incoming']);
  await client.query("delete from runtime.parked where schema = 'previous' and projection = $1", [name]);
  await client.query(move, ['read_model', name, 'previous']);
  await client.query(move, ['incoming', name, 'read_model']);
}

/** A checksum of a table's rows, independent of their order. */
export interface Checksum {
  readonly rows: number;
  readonly hash: string;
}

/** Positions are left out: a row retried after parking has a later one. */
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

import type { Pool } from 'pg';
import { dataKeyContext } from './data-keys.ts';
import type { MasterKeys } from './master-keys.ts';
import { signingKeyContext } from './signing-keys.ts';

interface WrappedRow {
  readonly id: string;
  readonly purpose: string;
  readonly master_key: string;
  readonly wrapped: Buffer;
}

/** Every table with keys wrapped by a master key. */
const tables = [
  {
    kind: 'data_keys',
    select: 'select account_id as id, null as purpose, master_key, wrapped from vault.data_keys',
    update: 'update vault.data_keys as kept set',
    id: 'account_id',
    contextOf: ({ id }: WrappedRow) => dataKeyContext(id),
  },
  {
    kind: 'signing_keys',
    select: 'select id, purpose, master_key, wrapped from vault.signing_keys',
    update: 'update vault.signing_keys as kept set',
    id: 'id',
    contextOf: ({ id, purpose }: WrappedRow) => signingKeyContext(purpose, id),
  },
] as const;

export interface WrappedCount {
  readonly masterKey: string;
  readonly dataKeys: number;
  readonly signingKeys: number;
}

/** Number of keys wrapped by each master key. Erased ones are not counted. */
export async function countWrapped(pool: Pool): Promise<readonly WrappedCount[]> {
  const { rows } = await pool.query<{ master_key: string; data_keys: number; signing_keys: number }>(`
    select master_key, count(*) filter (where kind = 'data')::int as data_keys,
      count(*) filter (where kind = 'signing')::int as signing_keys
    from (
      select master_key, 'data' as kind from vault.data_keys where wrapped is not null
      union all select master_key, 'signing' from vault.signing_keys
    ) as keys
    group by master_key order by master_key`);
  return rows.map(({ master_key, data_keys, signing_keys }) => ({
    masterKey: master_key,
    dataKeys: data_keys,
    signingKeys: signing_keys,
  }));
}

/** The counts of what these keys do not open. One row of each table and name is tried: rows from before keys had names tell none. */
export async function countUnreadable(pool: Pool, masterKeys: MasterKeys): Promise<readonly WrappedCount[]> {
  const counts = await countWrapped(pool);
  const opened = await Promise.all(counts.map(({ masterKey }) => opens(pool, masterKeys, masterKey)));
  return counts.filter((_, index) => opened[index] !== true);
}

async function opens(pool: Pool, masterKeys: MasterKeys, name: string): Promise<boolean> {
  for (const { select, contextOf } of tables) {
    const { rows } = await pool.query<WrappedRow>(
      `${select} where wrapped is not null and master_key = $1 limit 1`,
      [name],
    );
    if (rows.some((row) => renewedBy(masterKeys, contextOf(row), row) === undefined)) return false;
  }
  return true;
}

export interface RewrapOptions {
  readonly pool: Pool;
  readonly masterKeys: MasterKeys;
  /** Called after each batch with the number of rewrapped keys. */
  readonly onProgress?: (rewrapped: number) => void;
  /** Keys per statement. */
  readonly batch?: number;
}

export interface Rewrapped {
  readonly rewrapped: number;
  /** Wrapped by a key that is not in `masterKeys`. */
  readonly unreadable: number;
}

/**
 * Rewraps with the first master key everything wrapped by others. Can be interrupted and restarted, and run concurrently with
 * anything: a row is replaced only if it is unchanged since it was read, so that an erased key stays erased.
 */
export async function rewrap({
  pool,
  masterKeys,
  onProgress,
  batch = 500,
}: RewrapOptions): Promise<Rewrapped> {
  let rewrapped = 0;
  let unreadable = 0;
  for (const table of tables) {
    for (let after: string | undefined = ''; after !== undefined;) {
      const rows = await wrappedByOthers(pool, table, masterKeys.names[0], after, batch);
      const renewed = rows.flatMap((row) => renewedBy(masterKeys, table.contextOf(row), row) ?? []);
      rewrapped += await replace(pool, table, renewed);
      unreadable += rows.length - renewed.length;
      onProgress?.(rewrapped);
      after = rows.at(-1)?.id;
    }
  }
  return { rewrapped, unreadable };
}

type Table = (typeof tables)[number];

async function wrappedByOthers(
  pool: Pool,
  { select, id }: Table,
  first: string,
  after: string,
  limit: number,
) {
  const { rows } = await pool.query<WrappedRow>(
    `${select} where wrapped is not null and master_key <> $1 and ${id} > $2 order by ${id} limit $3`,
    [first, after, limit],
  );
  return rows;
}

interface Renewed {
  readonly id: string;
  readonly masterKey: string;
  readonly before: Buffer;
  readonly wrapped: Buffer;
}

/** Undefined if none of the keys unwraps it. */
function renewedBy(masterKeys: MasterKeys, context: string, row: WrappedRow): Renewed | undefined {
  const { id, master_key: masterKey, wrapped: before } = row;
  try {
    const key = masterKeys.unwrap({ masterKey, wrapped: before }, context);
    return { id, before, ...masterKeys.wrap(key, context) };
  } catch {
    return undefined;
  }
}

async function replace(pool: Pool, { update, id }: Table, renewed: readonly Renewed[]): Promise<number> {
  const { rowCount } = await pool.query(
    `${update} master_key = given.master_key, wrapped = given.wrapped
     from unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[]) as given (id, master_key, before, wrapped)
     where kept.${id} = given.id and kept.wrapped = given.before`,
    [
      renewed.map((each) => each.id),
      renewed.map((each) => each.masterKey),
      renewed.map((each) => each.before),
      renewed.map((each) => each.wrapped),
    ],
  );
  return rowCount ?? 0;
}

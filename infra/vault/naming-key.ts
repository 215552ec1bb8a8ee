import type { Pool } from 'pg';

/**
 * The name of the key from which names of streams are derived. It never changes; undefined before the first process
 * has recorded it.
 */
export async function namingKey(pool: Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ name: string }>('select name from vault.naming_key');
  return rows[0]?.name;
}

/** Records the name of that key, unless one is recorded already. */
export async function recordNamingKey(pool: Pool, name: string): Promise<void> {
  await pool.query('insert into vault.naming_key (name) values ($1) on conflict do nothing', [name]);
}

import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { inTransaction } from '../postgres/transaction.ts';
import type { MasterKeys } from './master-keys.ts';

/** A key as it was added, newest last. `secret` is whatever its user makes keys of. */
export interface SigningKey {
  readonly id: string;
  readonly secret: Buffer;
  readonly createdAt: Date;
  /** How long there has been a newer one, ms, by the database's clock; null for the newest. */
  readonly supersededMs: number | null;
}

export const signingKeyContext = (purpose: string, id: string): string =>
  JSON.stringify(['signing-key', purpose, id]);

interface Row {
  readonly id: string;
  readonly master_key: string;
  readonly wrapped: Buffer;
  readonly created_at: Date;
  readonly superseded_ms: number | null;
}

/** The keys that the service signs with, wrapped by the master key. None is ever changed: a rotation adds one. */
export function createSigningKeys(pool: Pool, master: MasterKeys, purpose: string) {
  const all = async (): Promise<readonly SigningKey[]> => {
    const { rows } = await pool.query<Row>({
      name: 'vault-signing-keys',
      text: `select id, master_key, wrapped, created_at, ${supersededMs} as superseded_ms
             from vault.signing_keys where purpose = $1 order by sequence`,
      values: [purpose],
    });
    return rows.map(({ id, master_key, wrapped, created_at, superseded_ms }) => ({
      id,
      secret: master.unwrap({ masterKey: master_key, wrapped }, signingKeyContext(purpose, id)),
      createdAt: created_at,
      supersededMs: superseded_ms,
    }));
  };
  const insert = async (client: Pick<Pool, 'query'>, secret: Buffer, condition = ''): Promise<string> => {
    const id = randomUUID();
    const { masterKey, wrapped } = master.wrap(secret, signingKeyContext(purpose, id));
    await client.query(
      `insert into vault.signing_keys (id, purpose, master_key, wrapped) select $1, $2, $3, $4 ${condition}`,
      [id, purpose, masterKey, wrapped],
    );
    return id;
  };
  return {
    all,
    /** Adds a key, which is the one to sign with from now on. Gives its id. */
    add: (secret: Buffer): Promise<string> => insert(pool, secret),
    /** All keys; the first one is made here, by one process if several ask at once. */
    async findOrCreate(make: () => Buffer): Promise<readonly SigningKey[]> {
      const found = await all();
      if (found.length > 0) return found;
      await inTransaction(pool, async (client) => {
        await client.query('lock table vault.signing_keys in share row exclusive mode');
        await insert(client, make(), 'where not exists (select from vault.signing_keys where purpose = $2)');
      });
      return all();
    },
    /** Deletes those that have had a newer one for so long, milliseconds. Gives how many. */
    drop: (afterMs: number): Promise<number> => drop(pool, purpose, afterMs),
  };
}

export type SigningKeys = ReturnType<typeof createSigningKeys>;

const supersededMs =
  '(extract(epoch from clock_timestamp() - lead(created_at) over (order by sequence)) * 1000)::float8';

async function drop(pool: Pool, purpose: string, afterMs: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from vault.signing_keys where id in (
       select id from (select id, ${supersededMs} as superseded_ms from vault.signing_keys where purpose = $1) as keys
       where superseded_ms >= $2)`,
    [purpose, afterMs],
  );
  return rowCount ?? 0;
}

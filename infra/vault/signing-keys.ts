import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { inTransaction } from '../postgres/transaction.ts';
import type { MasterKeys } from './master-keys.ts';

/** A stored key, newest last. `secret`: in the format of its user. */
export interface SigningKey {
  readonly id: string;
  readonly secret: Buffer;
  readonly createdAt: Date;
  /** Age of the next newer key in ms, by the database's clock; null for the newest. */
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

/** The service's signing keys, wrapped by the master key. Immutable: a rotation adds one. */
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
    /** Adds a key, which signs from now on. Returns its id. */
    add: (secret: Buffer): Promise<string> => insert(pool, secret),
    /** All keys; the first one is created here, by one of several concurrent processes. */
    async findOrCreate(make: () => Buffer): Promise<readonly SigningKey[]> {
      const found = await all();
      if (found.length > 0) return found;
      await inTransaction(pool, async (client) => {
        await client.query('lock table vault.signing_keys in share row exclusive mode');
        await insert(client, make(), 'where not exists (select from vault.signing_keys where purpose = $2)');
      });
      return all();
    },
    /** Deletes keys superseded for this long, in milliseconds. Returns their number. */
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

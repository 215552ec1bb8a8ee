import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { decrypt, encrypt } from './cipher.ts';
import type { MasterKey } from './data-keys.ts';

/** A key as it was added, newest last. `secret` is whatever its user makes keys of. */
export interface SigningKey {
  readonly id: string;
  readonly secret: Buffer;
}

const contextOf = (purpose: string, id: string): string => JSON.stringify(['signing-key', purpose, id]);

/** The keys that the service signs with, wrapped by the master key. None is ever changed: a rotation adds one. */
export function createSigningKeys(pool: Pool, master: MasterKey, purpose: string) {
  const masterName = `${master.id}:${master.version}`;

  const all = async (): Promise<readonly SigningKey[]> => {
    const { rows } = await pool.query<{ id: string; wrapped: Buffer }>({
      name: 'vault-signing-keys',
      text: 'select id, wrapped from vault.signing_keys where purpose = $1 order by sequence',
      values: [purpose],
    });
    return rows.map(({ id, wrapped }) => ({
      id,
      secret: decrypt(master.key, wrapped, contextOf(purpose, id)),
    }));
  };
  const insert = async (secret: Buffer, condition: string): Promise<void> => {
    const id = randomUUID();
    const wrapped = encrypt(master.key, secret, contextOf(purpose, id));
    await pool.query(
      `insert into vault.signing_keys (id, purpose, master_key, wrapped) select $1, $2, $3, $4 ${condition}`,
      [id, purpose, masterName, wrapped],
    );
  };
  return {
    all,
    /** Adds a key, which is the one to sign with from now on. */
    add: (secret: Buffer): Promise<void> => insert(secret, ''),
    /** All keys; the first one is made here. Of two processes that make one at once, both stand. */
    async findOrCreate(make: () => Buffer): Promise<readonly SigningKey[]> {
      const found = await all();
      if (found.length > 0) return found;
      await insert(make(), 'where not exists (select from vault.signing_keys where purpose = $2)');
      return all();
    },
  };
}

export type SigningKeys = ReturnType<typeof createSigningKeys>;

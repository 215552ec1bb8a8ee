import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { decrypt, encrypt } from './cipher.ts';

export interface MasterKey {
  /** Which key this is; stored beside everything it wraps. */
  readonly id: string;
  readonly version: number;
  /** 32 bytes. */
  readonly key: Buffer;
}

/** `erased`: the account had a key and it was forgotten for good. */
export type DataKey = Buffer | 'erased' | 'none';

const wrapContext = (accountId: string): string => JSON.stringify(['data-key', accountId]);

/** One random key per account, wrapped by the master key. Only the wrapped form touches the database. */
export function createDataKeys(pool: Pool, master: MasterKey) {
  const masterName = `${master.id}:${master.version}`;

  const find = async (accountId: string): Promise<DataKey> => {
    const { rows } = await pool.query<{ master_key: string; wrapped: Buffer | null }>({
      name: 'vault-find-data-key',
      text: 'select master_key, wrapped from vault.data_keys where account_id = $1',
      values: [accountId],
    });
    const [row] = rows;
    if (!row) return 'none';
    if (!row.wrapped) return 'erased';
    if (row.master_key !== masterName)
      throw new Error(
        `The data key is wrapped by master key ${row.master_key}, this process has ${masterName}.`,
      );
    return decrypt(master.key, row.wrapped, wrapContext(accountId));
  };

  return {
    find,

    /** The account's key, made when it has none. Of two processes that make one at once, the first one's stands. */
    async findOrCreate(accountId: string): Promise<DataKey> {
      const found = await find(accountId);
      if (found !== 'none') return found;
      const wrapped = encrypt(master.key, randomBytes(32), wrapContext(accountId));
      await pool.query(
        `insert into vault.data_keys (account_id, master_key, wrapped) values ($1, $2, $3)
         on conflict (account_id) do nothing`,
        [accountId, masterName, wrapped],
      );
      return find(accountId);
    },

    async erase(accountId: string): Promise<void> {
      await pool.query(
        `insert into vault.data_keys (account_id, master_key, wrapped, erased_at) values ($1, $2, null, now())
         on conflict (account_id) do update set wrapped = null, erased_at = coalesce(vault.data_keys.erased_at, now())`,
        [accountId, masterName],
      );
    },
  };
}

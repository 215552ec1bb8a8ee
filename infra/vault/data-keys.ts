import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { MasterKeys } from './master-keys.ts';

/** `erased`: the owner's key was destroyed. */
export type DataKey = Buffer | 'erased' | 'none';

interface Row {
  readonly account_id: string;
  readonly master_key: string;
  readonly wrapped: Buffer | null;
}

export const dataKeyContext = (owner: string): string => JSON.stringify(['data-key', owner]);

/** One random key per owner, such as an account, a profile or an invitation, wrapped by a master key. Only the wrapped form is stored. */
export function createDataKeys(pool: Pool, master: MasterKeys) {
  const unwrap = (owner: string, row: Row | undefined): DataKey => {
    if (!row) return 'none';
    const { master_key: masterKey, wrapped } = row;
    return wrapped === null ? 'erased' : master.unwrap({ masterKey, wrapped }, dataKeyContext(owner));
  };
  const rowOf = batched((owners) => rowsIn(pool, owners));
  const find = async (owner: string): Promise<DataKey> => unwrap(owner, await rowOf(owner));

  return {
    find,

    /** The owner's key, created if there is none. Of two concurrent creations the first one wins. */
    async findOrCreate(owner: string): Promise<DataKey> {
      const found = await find(owner);
      if (found !== 'none') return found;
      const { masterKey, wrapped } = master.wrap(randomBytes(32), dataKeyContext(owner));
      await pool.query(
        `insert into vault.data_keys (account_id, master_key, wrapped) values ($1, $2, $3)
         on conflict (account_id) do nothing`,
        [owner, masterKey, wrapped],
      );
      return find(owner);
    },

    async erase(owner: string): Promise<void> {
      await pool.query(
        `insert into vault.data_keys (account_id, master_key, wrapped, erased_at) values ($1, $2, null, now())
         on conflict (account_id) do update set wrapped = null, erased_at = coalesce(vault.data_keys.erased_at, now())`,
        [owner, master.names[0]],
      );
    },
  };
}

async function rowsIn(pool: Pool, owners: readonly string[]): Promise<ReadonlyMap<string, Row>> {
  const { rows } = await pool.query<Row>({
    name: 'vault-find-data-keys',
    text: 'select account_id, master_key, wrapped from vault.data_keys where account_id = any($1)',
    values: [owners],
  });
  return new Map(rows.map((row) => [row.account_id, row]));
}

/** Batches concurrent look-ups. */
function batched<Found>(lookUp: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>) {
  let batch: { readonly keys: Set<string>; readonly found: Promise<ReadonlyMap<string, Found>> } | undefined;
  const begin = () => {
    const keys = new Set<string>();
    const found = Promise.resolve().then(() => {
      batch = undefined;
      return lookUp([...keys]);
    });
    return { keys, found };
  };
  return async (key: string): Promise<Found | undefined> => {
    batch ??= begin();
    batch.keys.add(key);
    return (await batch.found).get(key);
  };
}

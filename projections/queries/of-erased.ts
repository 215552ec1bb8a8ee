import type { AccountId } from '../../contracts/ids.ts';
import { live } from '../engine/checkpoint.ts';
import { rowsOf, type Queryable } from './tables.ts';

/**
 * The rows of a statement about an erased account, its parameter `$1`. Undefined while the read models do not include its
 * erasure, or are outdated: resources created right before it may be missing.
 */
export async function ofErased<Row>(
  pool: Queryable,
  accountId: AccountId,
  { models, statement }: { readonly models: readonly string[]; readonly statement: string },
): Promise<readonly Row[] | undefined> {
  const rows = await rowsOf<{ readonly item: Row | null }>(
    pool,
    `select to_jsonb(item) as item from read_model.accounts as account
     join runtime.checkpoints as reached on reached.name = '${live.checkpoint}'
       and not coalesce(reached.outdated ?| $2::text[], false)
     left join (${statement}) as item on true
     where account.id = $1 and account.erased_at is not null`,
    [accountId, ['accounts', ...models]],
  );
  return rows.length === 0 ? undefined : rows.map(({ item }) => item).filter((item) => item !== null);
}

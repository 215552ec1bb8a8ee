import { rowsOf, type Queryable } from './tables.ts';

export interface DeprecationUsers {
  readonly accounts: number;
  /** `YYYY-MM-DD`; null if it was never used. */
  readonly lastDay: string | null;
}

/** Number of accounts that used each entry of the registry, by id, with the last day. */
export async function deprecationUsers(pool: Queryable): Promise<ReadonlyMap<string, DeprecationUsers>> {
  const rows = await rowsOf<DeprecationUsers & { readonly id: string }>(
    pool,
    `select used.key as id, count(*)::int as accounts, max(used.value ->> 'lastDay') as "lastDay"
     from read_model.deprecated_uses, jsonb_each(state) as used group by used.key`,
  );
  return new Map(rows.map(({ id, ...users }) => [id, users]));
}

import type pg from 'pg';

export interface DeprecationUsers {
  readonly accounts: number;
  /** `YYYY-MM-DD`; null when nobody has used it. */
  readonly lastDay: string | null;
}

/** How many accounts have used each entry of the registry, by its id, and when last. */
export async function deprecationUsers(
  pool: Pick<pg.Pool, 'query'>,
): Promise<ReadonlyMap<string, DeprecationUsers>> {
  const { rows } = await pool.query<DeprecationUsers & { readonly id: string }>(
    `select used.key as id, count(*)::int as accounts, max(used.value ->> 'lastDay') as "lastDay"
     from read_model.deprecated_uses, jsonb_each(state) as used group by used.key`,
  );
  return new Map(rows.map(({ id, ...users }) => [id, users]));
}

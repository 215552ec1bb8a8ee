import { sql, type RawBuilder } from 'kysely';
import type { AccountId } from '../../contracts/ids.ts';
import type { RequestTree } from '../../contracts/resources/request.ts';
import { freshStatement } from './fresh-statement.ts';
import { db, rowsOf, type Queryable } from './tables.ts';

/** Maximum number of shown events. */
export const mostEvents = 1000;

export interface StoredCause {
  readonly id: string;
  readonly cause: string | null;
  readonly by: string | null;
  readonly account_id: AccountId | null;
  readonly type: string;
  readonly stream: string;
  readonly position: string;
  readonly at: string;
}

/** A recorded answer to a request. */
export interface Answered {
  readonly account_id: AccountId | null;
  /** The route's id. */
  readonly operation: string;
  readonly status: number;
  readonly at: string;
  readonly duration_ms: number;
}

/** Everything with the same root. */
export interface StoredTree {
  /** Id of the root. */
  readonly id: string;
  readonly answered: Answered | null;
  /** One more than shown, if there are more. */
  readonly causes: readonly StoredCause[];
  readonly deliveries: RequestTree['deliveries'];
  readonly mails: RequestTree['mails'];
}

/**
 * Maximum number of events, and of answers, that are looked at, in practice the oldest. A client that sends one id with all of its requests
 * has millions, and they are sorted.
 */
const mostExamined = 10_000;

/** `account`: its events come first, and only its deliveries and mails are included; undefined: those of all. */
const treeOf = (root: RawBuilder<unknown>, account?: RawBuilder<unknown>): RawBuilder<StoredTree> => {
  const isOwn = account === undefined ? sql`true` : sql`account_id = ${account}`;
  return sql<StoredTree>`(
    with examined as materialized (
      select id, cause, by, account_id, type, stream, at, commit_position, prepare_position
      from read_model.causes where root = ${root} limit ${sql.lit(mostExamined)}
    ), tree as materialized (
      select id, cause, by, account_id, type, stream, at, commit_position || '/' || prepare_position as position,
        row_number() over (order by (${isOwn}) is not true, commit_position, prepare_position) as number
      from examined order by number limit ${sql.lit(mostEvents + 1)}
    ), parts as (
      select distinct split_part(stream, '-', 1) as category, substring(stream from '-(.*)$') as uuid
      from tree where (${isOwn}) and number <= ${sql.lit(mostEvents)}
    )
    select ${root}::text as id,
      (
        select to_jsonb(asked) from (
          select account_id, operation, status, at, duration_ms from (
            select account_id, operation, status, at, duration_ms from ephemeral.requests
            where id = ${root} limit ${sql.lit(mostExamined)}
          ) as served
          where account_id is null or ${isOwn}
          order by account_id is null, at desc limit 1
        ) as asked
      ) as answered,
      (select coalesce(jsonb_agg(to_jsonb(tree) order by number), '[]') from tree) as causes,
      (
        select coalesce(jsonb_agg(to_jsonb(shown) order by created_at, id), '[]') from (
          select id, event_id, status, attempts, created_at
          from parts join read_model.webhook_deliveries on id = 'dlv_' || uuid where category = 'webhook_delivery'
        ) as shown
      ) as deliveries,
      (
        select coalesce(jsonb_agg(to_jsonb(shown) order by created_at, id), '[]') from (
          select id, template, status, created_at
          from parts join read_model.mails on id = 'mail_' || uuid where category = 'mail'
        ) as shown
      ) as mails
  )`;
};

/** The effects of a request. Always one row. */
export const requestTree = freshStatement<
  { readonly root: string; readonly accountId: AccountId },
  StoredTree
>('request', (parameter) =>
  db.selectFrom(treeOf(parameter('root'), parameter('accountId')).as('tree')).selectAll(),
);

/** The same over all accounts. */
export async function treeOfRoot(pool: Queryable, root: string): Promise<StoredTree> {
  const { sql: text, parameters } = db
    .selectFrom(treeOf(sql`${root}`).as('tree'))
    .selectAll()
    .compile();
  const [tree] = await rowsOf<StoredTree>(pool, text, parameters);
  if (tree === undefined) throw new Error('A tree is one row.');
  return tree;
}

/** The root of an event; undefined for an unknown event, or one past its retention. */
export const rootOfEvent = async (pool: Queryable, id: string): Promise<string | undefined> =>
  (await rowsOf<{ root: string }>(pool, 'select root from read_model.causes where id = $1', [id]))[0]?.root;

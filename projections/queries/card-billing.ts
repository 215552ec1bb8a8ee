import { sql } from 'kysely';
import type { AccountId } from '../../contracts/ids.ts';
import type { Tier } from '../../contracts/tiers.ts';
import { freshStatement } from './fresh-statement.ts';
import { db, idsOf, type Queryable } from './tables.ts';

export interface BillingRow {
  readonly id: AccountId;
  readonly tier: Tier;
  /** Null: the account has no customer at the card processor. */
  readonly state: unknown;
  /** When the processor was last queried about it, ISO 8601; null: never. */
  readonly asked_at: string | null;
}

/** The account's tier, with the recorded state of the card processor. */
export const billingOfAccount = freshStatement<{ readonly accountId: AccountId }, BillingRow>(
  'billing',
  (parameter) =>
    db
      .selectFrom('read_model.accounts as account')
      .where('account.id', '=', parameter('accountId'))
      .select([
        'account.id',
        'account.tier',
        sql`(select state from read_model.subscriptions as card where card.id = account.id)`.as('state'),
        sql<string | null>`(
          select asked_at from ephemeral.card_checks as checked where checked.account_id = account.id
        )`.as('asked_at'),
      ]),
);

interface Asked {
  /** Times ahead of it count as never: the clock was set back. */
  readonly now: Date;
  /** Skips accounts queried since, so that an unavailable processor is not queried constantly. */
  readonly before: Date;
  readonly limit: number;
}

/** Accounts with a requested check. */
export const cardChecksWanted = (
  pool: Queryable,
  { now, before, limit }: Asked,
): Promise<readonly AccountId[]> =>
  idsOf(
    pool,
    `select account_id as id from ephemeral.card_checks
     where wanted_at is not null and (answered_at is null or wanted_at > answered_at)
       and (asked_at is null or asked_at < $1 or asked_at > $3)
     order by wanted_at limit $2`,
    [before, limit, now],
  );

/** Accounts whose recorded state is older than that, never checked ones first. */
export const cardChecksDue = (
  pool: Queryable,
  { now, before, limit }: Asked,
  olderThan: Date,
): Promise<readonly AccountId[]> =>
  idsOf(
    pool,
    `select card.id from read_model.subscriptions as card
     left join ephemeral.card_checks as checked on checked.account_id = card.id
     where (checked.answered_at is null or checked.answered_at < $3 or checked.answered_at > $4)
       and (checked.asked_at is null or checked.asked_at < $1 or checked.asked_at > $4)
     order by checked.answered_at nulls first limit $2`,
    [before, limit, olderThan, now],
  );

import type { QuotaName } from '../../contracts/resources/account-limits.ts';
import { sql } from 'kysely';
import type { AccountId } from '../../contracts/ids.ts';
import { recordContracts, type RecordName } from '../../contracts/records.ts';
import type { Tier } from '../../contracts/tiers.ts';
import { queryBuilder } from '../../infra/postgres/queries.ts';
import type { StateReadModel, StateRow } from '../engine/state-read-model.ts';
import { freshStatement, type Statement } from './fresh-statement.ts';
import { db } from './tables.ts';

interface OfAccount {
  readonly accountId: AccountId;
}

/** The account's row of a table of states, if it has one. */
export function stateStatement({ name }: StateReadModel<unknown>): Statement<OfAccount, StateRow> {
  const table: `read_model.${string}` = `read_model.${name}`;
  const states = queryBuilder().withTables<Record<typeof table, StateRow>>();
  return freshStatement<OfAccount, StateRow>(`get-${name}`, (parameter) =>
    states.selectFrom(table).select(['id', 'state']).where('id', '=', parameter('accountId')),
  );
}

export interface BundledRow {
  readonly id: AccountId;
  /** Null: nothing was ever set. */
  readonly state: unknown;
  readonly spent_cents: number;
}

/** The account's settings of the bundled model, and its spending in a month. */
export const bundledStatus = freshStatement<OfAccount & { readonly spendId: string }, BundledRow>(
  'bundled-llm-status',
  (parameter) =>
    db
      .selectFrom('read_model.accounts as account')
      .where('account.id', '=', parameter('accountId'))
      .select([
        'account.id',
        sql`(select state from read_model.bundled_llm as own where own.id = account.id)`.as('state'),
        sql<number>`coalesce(
          (select spent_cents from read_model.bundled_spend as spend where spend.id = ${parameter('spendId')}), 0
        )`.as('spent_cents'),
      ]),
);

/** The columns of an account that determine its limits. */
export const limitColumns = [
  'account.tier',
  'account.concurrency_override',
  'account.profile_cap_override',
] as const;
export interface LimitRow {
  readonly tier: Tier;
  readonly concurrency_override: number | null;
  readonly profile_cap_override: number | null;
}

export interface QuotaRow extends LimitRow, Readonly<Record<QuotaName, number>> {
  readonly id: AccountId;
}

const liveRecords = (name: RecordName) =>
  sql<number>`(
    select count(*)::integer from ${sql.table(`read_model.${name}`)} as record
    where record.account_id = account.id and record.status = 'live'
  )`.as(name);

/** The account's use of each quota. */
export const accountQuotas = freshStatement<OfAccount & { readonly now: string }, QuotaRow>(
  'account-quotas',
  (parameter) =>
    db
      .selectFrom('read_model.accounts as account')
      .where('account.id', '=', parameter('accountId'))
      .select([
        'account.id',
        ...limitColumns,
        sql<number>`coalesce((
          select running from read_model.usage_hours as usage
          where usage.account_id = account.id order by hour desc limit 1
        ), 0)`.as('sessions'),
        // A rotated key's quota belongs to its successor.
        sql<number>`(
          select count(*)::integer from read_model.api_keys as key
          where key.account_id = account.id and revoked_at is null and rotated_to is null
            and (expires_at is null or expires_at > ${parameter('now')}::timestamptz)
        )`.as('api_keys'),
        sql<number>`(
          select count(*)::integer from read_model.webhooks as webhook
          where webhook.account_id = account.id and deleted_at is null
        )`.as('webhooks'),
        sql<number>`(
          select count(*)::integer from read_model.profiles as profile
          where profile.account_id = account.id and status = 'active'
        )`.as('profiles'),
        sql<number>`(
          select count(*)::integer from read_model.team_invitations as invitation
          where invitation.account_id = account.id and status = 'open'
            and expires_at > ${parameter('now')}::timestamptz
        )`.as('invitations'),
        ...recordContracts.map(({ name }) => liveRecords(name)),
      ]),
);

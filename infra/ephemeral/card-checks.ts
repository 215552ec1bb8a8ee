import type { AccountId } from '../../contracts/ids.ts';
import type { RecorderPorts } from './recorder.ts';

/**
 * Time of the last query to the card processor per account, and requested checks. Ephemeral: if lost, an account is queried once
 * more than necessary.
 */
export interface CardChecks {
  /** Runs in the background and never fails the request. */
  want(accountId: AccountId): void;
  answered(accountId: AccountId, askedAt: Date): Promise<void>;
  /** Marks them as being queried: after a failure they are not retried at once. */
  claim(accountIds: readonly AccountId[]): Promise<void>;
}

/*
 * Times ahead of now are of a clock that was set back since, and count as never: without that, nothing would be due until the clock
 * has caught up.
 */
const wantSql = `
  insert into ephemeral.card_checks as known (account_id, wanted_at) values ($1, $2)
  on conflict (account_id) do update set
    wanted_at = excluded.wanted_at,
    answered_at = case when known.answered_at <= excluded.wanted_at then known.answered_at end`;

const answeredSql = `
  insert into ephemeral.card_checks as known (account_id, asked_at, answered_at) values ($1, $2, $2)
  on conflict (account_id) do update set
    asked_at = greatest(excluded.asked_at, case when known.asked_at <= $3 then known.asked_at end),
    answered_at = greatest(excluded.answered_at, case when known.answered_at <= $3 then known.answered_at end),
    wanted_at = case when known.wanted_at <= $3 then known.wanted_at end`;

const claimSql = `
  insert into ephemeral.card_checks as known (account_id, asked_at)
  select account_id, $2 from unnest($1::text[]) as account_id
  on conflict (account_id) do update set asked_at = excluded.asked_at`;

export const createCardChecks = ({ pool, clock, logger }: RecorderPorts): CardChecks => ({
  want(accountId) {
    pool
      .query({ name: 'want-card-check', text: wantSql, values: [accountId, clock.now()] })
      .catch((error: unknown) =>
        logger.debug({ err: error }, 'A request to check an account at the card processor was lost.'),
      );
  },
  answered: async (accountId, askedAt) => {
    const values = [accountId, askedAt, clock.now()];
    await pool.query({ name: 'card-answered', text: answeredSql, values });
  },
  claim: async (accountIds) => {
    await pool.query({ name: 'claim-card-checks', text: claimSql, values: [accountIds, clock.now()] });
  },
});

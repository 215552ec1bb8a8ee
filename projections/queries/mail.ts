import type { AccountId } from '../../contracts/ids.ts';
import type { DueAttempt } from '../../domain/mail.ts';
import { mails } from '../read-models/mail.ts';
import { newest } from './newest.ts';
import { countOf, rowsOf, type MailRow, type Queryable } from './tables.ts';

/** Attempts to send a mail that are due at `by` or earlier, the longest due first. */
export async function mailsDue(pool: Queryable, by: Date, limit: number): Promise<readonly DueAttempt[]> {
  type Row = Pick<MailRow, 'id' | 'attempt_count'> & { readonly next_attempt_at: Date };
  const rows = await rowsOf<Row>(
    pool,
    `select id, attempt_count, next_attempt_at from read_model.mails
     where status = 'queued' and next_attempt_at <= $1 order by next_attempt_at limit $2`,
    [by, limit],
  );
  return rows.map(({ id, attempt_count, next_attempt_at }) => ({
    mailId: id,
    attempt: attempt_count + 1,
    dueAt: next_attempt_at.toISOString(),
  }));
}

export const countMailsWaiting = (pool: Queryable): Promise<number> =>
  countOf(pool, "select count(*)::integer from read_model.mails where status = 'queued'");

export interface MailFilter {
  readonly account?: AccountId;
  readonly status?: MailRow['status'];
  readonly limit: number;
}

/** Newest first. */
export const listMails = (pool: Queryable, { account, status, limit }: MailFilter) =>
  newest(pool, mails, {
    columns: ['id', 'account_id', 'template', 'status', 'attempt_count', 'next_attempt_at', 'created_at'],
    where: { account_id: account, status },
    limit,
  });

import type { AccountId, MailId } from '../../contracts/ids.ts';
import { mails } from '../read-models/mail.ts';
import { dueIn } from './due.ts';
import { newest } from './newest.ts';
import { countOf, type MailRow, type Queryable } from './tables.ts';

/** The condition of the partial index. */
const isQueued = "status = 'queued'";

/** Mails whose next attempt is due. */
export const dueMailsIn = (pool: Queryable) => dueIn<MailId>(pool, 'read_model.mails', isQueued);

export const countMailsWaiting = (pool: Queryable): Promise<number> =>
  countOf(pool, `select count(*)::integer from read_model.mails where ${isQueued}`);

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

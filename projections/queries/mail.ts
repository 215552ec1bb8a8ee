import type { MailTemplate } from '../../contracts/events/mail.ts';
import type { AccountId, MailId } from '../../contracts/ids.ts';
import { mails } from '../read-models/mail.ts';
import { dueIn } from './due.ts';
import { newest } from './newest.ts';
import { countOf, type MailRow, type Queryable } from './tables.ts';

/** The condition of the partial index. */
const isQueued = "status = 'queued'";

/** Mails whose next attempt is due: those of templates with a link, and the others. */
export function dueMailsIn(pool: Queryable, linkTemplates: readonly MailTemplate[]) {
  const withLink = `template in (${linkTemplates.map((template) => `'${template}'`).join(', ')})`;
  const due = (condition: string) => dueIn<MailId>(pool, 'read_model.mails', `${isQueued} and ${condition}`);
  return { withLink: due(withLink), others: due(`not ${withLink}`) };
}

export const countMailsWaiting = (pool: Queryable): Promise<number> =>
  countOf(pool, `select count(*)::integer from read_model.mails where ${isQueued}`);

/** Mails that have been due for more than an hour. One that waits for its next attempt is not due. */
export const countMailsOverdue = (pool: Queryable): Promise<number> =>
  countOf(
    pool,
    `select count(*)::integer from read_model.mails
    where ${isQueued} and next_attempt_at < now() - interval '1 hour'`,
  );

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

import type { MailEvent } from '../../contracts/events/mail.ts';
import { uuidOf } from '../../contracts/ids.ts';
import { projectionSpec } from '../../domain/testing/index.ts';
import { recorded } from '../testing/index.ts';
import { mails } from './mail.ts';
import { mailEvents, of } from '../testing/webhooks.ts';

const spec = projectionSpec(mails);
const given = (...events: readonly MailEvent[]) =>
  spec.given(...events.map((event) => recorded(`mail-${uuidOf(of.mailId)}`, event)));

const queuedMail = mailEvents.MailQueued();
const queued = {
  id: of.mailId,
  account_id: of.accountId,
  template: 'webhook-failing' as const,
  facts: queuedMail.data.facts,
  status: 'queued' as const,
  attempt_count: 0,
  next_attempt_at: of.at,
  created_at: of.at,
  updated_at: of.at,
};
const ended = { ...queued, next_attempt_at: null, updated_at: of.later };

describe('the row of a mail', () => {
  it('is due when it is queued', () => given(queuedMail).then(queued));

  it('is of no account when it is to a subscriber of the status', () =>
    given(mailEvents.SubscriberMailQueued()).then({
      ...queued,
      account_id: null,
      template: 'status-subscribed' as const,
      facts: { components: 'Webhooks' },
    }));

  it('waits for the next attempt after a failed one', () =>
    given(queuedMail, mailEvents.MailAttemptFailed()).then({
      ...queued,
      attempt_count: 1,
      next_attempt_at: of.retryAt,
      updated_at: of.later,
    }));

  it('waits for nothing once it is sent or abandoned', () => {
    given(queuedMail, mailEvents.MailSent()).then({ ...ended, status: 'sent', attempt_count: 1 });
    given(queuedMail, mailEvents.MailAbandoned()).then({ ...ended, status: 'abandoned' });
  });
});

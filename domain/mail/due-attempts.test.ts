import type { MailEvent } from '../../contracts/events/mail.ts';
import { toId } from '../../contracts/ids.ts';
import { eventBuilders, reactionSpec } from '../testing/index.ts';
import { dueAttempts } from './index.ts';

const mailId = toId('mail', '0197f1a0-0000-7000-8000-000000000001');
const accountId = toId('account', '0197f1a0-0000-7000-8000-000000000002');
const at = '2026-01-05T12:00:00.000Z';
const later = '2026-01-05T12:01:00.000Z';
const events = eventBuilders<MailEvent>({
  MailQueued: { mailId, accountId, template: 'webhook-disabled', facts: {}, dueAt: at, at },
  MailAttemptFailed: { mailId, attempt: 1, error: 'timeout', nextAttemptAt: later, at },
  MailSent: { mailId, attempt: 2, at: later },
  MailAbandoned: { mailId, reason: 'attempts_exhausted', at: later },
});

describe('the attempts a mail sets a time for', () => {
  const { when } = reactionSpec(dueAttempts);

  it('are the first one when it is queued, and the next after each that failed', () => {
    when(events.MailQueued()).then({ mailId, attempt: 1, dueAt: at });
    when(events.MailAttemptFailed()).then({ mailId, attempt: 2, dueAt: later });
  });

  it('are none after the last, nor once it is sent or given up', () => {
    when(
      events.MailAttemptFailed({ nextAttemptAt: null }),
      events.MailSent(),
      events.MailAbandoned(),
    ).nothing();
  });
});

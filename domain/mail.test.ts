import { expect } from 'chai';
import type { MailEvent } from '../contracts/events/mail.ts';
import { toId } from '../contracts/ids.ts';
import { commandBuilders, deciderSpec, eventBuilders, reactionSpec } from './testing/index.ts';
import { dueAttempts, mail, type MailCommand } from './mail.ts';

const uuid = '0197f1a0-0000-7000-8000-000000000001';
const mailId = toId('mail', uuid);
const at = '2026-01-05T12:00:00.000Z';
const message = {
  mailId,
  accountId: toId('account', uuid),
  template: 'webhook-failing',
  facts: { url: 'https://receiver.example/hooks', consecutive: 10 },
  at,
} as const;
const subscriberMessage = {
  mailId,
  subscriptionId: toId('statusSubscription', uuid),
  subscriber: uuid,
  template: 'incident-posted',
  facts: { title: 'Late' },
  at,
} as const;
const declining = { mailId, accountId: message.accountId, template: 'tier-changed' } as const;
const backoffMs = [60_000, 600_000];

const events = eventBuilders<MailEvent>({
  MailQueued: { ...message, dueAt: at },
  SubscriberMailQueued: { ...subscriberMessage, dueAt: at },
  MailSent: { mailId, attempt: 1, at },
  MailAttemptFailed: {
    mailId,
    attempt: 1,
    error: 'unreachable',
    nextAttemptAt: '2026-01-05T12:01:00.000Z',
    at,
  },
  MailAbandoned: { mailId, reason: 'attempts_exhausted', at },
  MailDeclined: { ...declining, at },
});
const commands = commandBuilders<MailCommand>({
  QueueMail: message,
  QueueSubscriberMail: subscriberMessage,
  RecordMailAttempt: { attempt: 1, error: null, backoffMs, at },
  AbandonMail: { reason: 'account_erased', at },
  DeclineMail: { ...declining, at },
});
const { given } = deciderSpec(mail);
const queued = events.MailQueued();
const failedOnce = events.MailAttemptFailed();
const failedTwice = events.MailAttemptFailed({ attempt: 2, nextAttemptAt: '2026-01-05T12:10:00.000Z' });

describe('a mail', () => {
  it('is queued once, due at once', () => {
    given().when(commands.QueueMail()).then(queued);
    given(queued).when(commands.QueueMail()).nothing();
    given(queued, events.MailSent()).when(commands.QueueMail()).nothing();
  });

  it('is queued for a subscriber the same way', () => {
    given().when(commands.QueueSubscriberMail()).then(events.SubscriberMailQueued());
    given(events.SubscriberMailQueued()).when(commands.QueueSubscriberMail()).nothing();
    given(events.SubscriberMailQueued()).when(commands.RecordMailAttempt()).then(events.MailSent());
  });

  it('is sent once', () => {
    given(queued).when(commands.RecordMailAttempt()).then(events.MailSent());
    given(queued, events.MailSent())
      .when(commands.RecordMailAttempt({ attempt: 2 }))
      .nothing();
  });

  it('is retried after each of the waits, and then abandoned', () => {
    const failing = (attempt: number) => commands.RecordMailAttempt({ attempt, error: 'unreachable' });
    given(queued).when(failing(1)).then(failedOnce);
    given(queued, failedOnce).when(failing(2)).then(failedTwice);
    given(queued, failedOnce, failedTwice)
      .when(failing(3))
      .then(
        events.MailAttemptFailed({ attempt: 3, nextAttemptAt: null }),
        events.MailAbandoned({ reason: 'attempts_exhausted' }),
      );
  });

  it('is due when its next attempt is', () => {
    given(queued)
      .when(commands.RecordMailAttempt({ error: 'timeout' }))
      .leaves((state) => expect(state).to.include({ status: 'queued', dueAt: '2026-01-05T12:01:00.000Z' }));
  });

  it('records an attempt once if two workers made it, and none before the mail is queued', () => {
    given(queued, failedOnce).when(commands.RecordMailAttempt()).nothing();
    given(queued)
      .when(commands.RecordMailAttempt({ attempt: 2 }))
      .nothing();
    given().when(commands.RecordMailAttempt()).nothing();
  });

  it('is abandoned at the first failure if its link will have expired by the next attempt', () => {
    const failing = commands.RecordMailAttempt({ error: 'timeout' });
    const givenUp = [
      events.MailAttemptFailed({ error: 'timeout', nextAttemptAt: null }),
      events.MailAbandoned({ reason: 'expired' }),
    ];
    given(events.MailQueued({ expiresAt: '2026-01-05T12:01:00.000Z' }))
      .when(failing)
      .then(...givenUp);
    given(events.MailQueued({ expiresAt: '2026-01-05T12:01:00.001Z' }))
      .when(failing)
      .then(events.MailAttemptFailed({ error: 'timeout' }));
  });

  it('that was declined once is never queued, and one that is queued is not declined', () => {
    given().when(commands.DeclineMail()).then(events.MailDeclined());
    given(events.MailDeclined()).when(commands.QueueMail()).nothing();
    given(events.MailDeclined()).when(commands.DeclineMail()).nothing();
    given(events.MailDeclined()).when(commands.RecordMailAttempt()).nothing();
    given(queued).when(commands.DeclineMail()).nothing();
  });

  it('is no longer sent once it is abandoned', () => {
    given(queued)
      .when(commands.AbandonMail())
      .then(events.MailAbandoned({ reason: 'account_erased' }));
    given(queued, events.MailAbandoned()).when(commands.RecordMailAttempt()).nothing();
    given(queued, events.MailSent()).when(commands.AbandonMail()).nothing();
    given().when(commands.AbandonMail()).nothing();
  });
});

describe('the attempts that a mail schedules', () => {
  const { when } = reactionSpec(dueAttempts);

  it('are the first one when it is queued, and the next after each that failed', () => {
    when(queued).then({ mailId, hasLink: false, attempt: 1, dueAt: at });
    when(failedOnce).then({
      ...{ mailId, hasLink: undefined },
      ...{ attempt: 2, dueAt: '2026-01-05T12:01:00.000Z' },
    });
  });

  it('say whether the mail has a link that expires', () => {
    const expiresAt = '2026-01-05T12:15:00.000Z';
    const due = { mailId, hasLink: true, attempt: 1, dueAt: at };
    when(events.MailQueued({ template: 'magic-link', expiresAt })).then(due);
    when(events.SubscriberMailQueued({ template: 'status-confirm', expiresAt })).then(due);
    when(events.SubscriberMailQueued()).then({ ...due, hasLink: false });
  });

  it('are none after the last, nor once it is sent, abandoned or declined', () => {
    when(
      events.MailAttemptFailed({ nextAttemptAt: null }),
      events.MailSent(),
      events.MailAbandoned(),
      events.MailDeclined(),
    ).nothing();
  });
});

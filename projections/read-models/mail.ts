import { mailEvents, type MailEvent, type MailTemplate } from '../../contracts/events/mail.ts';
import type { DataOf } from '../../domain/kit/decider.ts';
import { readModel } from '../engine/read-model.ts';
import { column, jsonOf, optionalTextOf, textOf } from '../engine/table.ts';
import type { AccountId, MailId } from '../../contracts/ids.ts';

type Queued = DataOf<MailEvent, 'MailQueued' | 'SubscriberMailQueued'>;

const queued = ({ mailId, template, facts, dueAt, at }: Queued) => ({
  id: mailId,
  template,
  facts,
  status: 'queued' as const,
  attempt_count: 0,
  next_attempt_at: dueAt,
  created_at: at,
  updated_at: at,
});

const ended = (status: 'sent' | 'abandoned', at: string) => ({
  status,
  next_attempt_at: null,
  updated_at: at,
});

/** Every message to an account's owner or to a subscriber of the public status, sent or not. */
export const mails = readModel('mails', {
  of: mailEvents,
  id: 'mail',
  columns: {
    id: textOf<MailId>(),
    /** Null: to a subscriber. */
    account_id: optionalTextOf<AccountId>(),
    template: textOf<MailTemplate>(),
    facts: jsonOf<Readonly<Record<string, string | number>>>(),
    status: textOf<'queued' | 'sent' | 'abandoned'>(),
    attempt_count: column.integer,
    /** Null without a pending attempt. */
    next_attempt_at: column.optionalTime,
    created_at: column.time,
    updated_at: column.time,
  },
  indexes: ['(created_at desc, id desc)', "(next_attempt_at) where status = 'queued'"],
  handlers: 1,
  creates: {
    MailQueued: ({ data }) => ({ ...queued(data), account_id: data.accountId }),
    SubscriberMailQueued: ({ data }) => ({ ...queued(data), account_id: null }),
  },
  changes: {
    MailSent: ({ data: { at, attempt } }) => ({ ...ended('sent', at), attempt_count: attempt }),
    MailAttemptFailed: ({ data: { at, attempt, nextAttemptAt } }) => ({
      attempt_count: attempt,
      next_attempt_at: nextAttemptAt,
      updated_at: at,
    }),
    MailAbandoned: ({ data: { at } }) => ended('abandoned', at),
  },
});

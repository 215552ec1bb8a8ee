import { mailEvents, type MailEvent } from '../contracts/events/mail.ts';
import type { MailId } from '../contracts/ids.ts';
import {
  byType,
  decideBy,
  type ByType,
  type CommandsOf,
  type DataOf,
  type Decider,
  type Rules,
} from './kit/decider.ts';
import { after, isBefore } from './kit/time.ts';

export type MailFacts = Readonly<Record<string, string | number>>;

type Queued<Type extends 'MailQueued' | 'SubscriberMailQueued'> = Readonly<
  Omit<DataOf<MailEvent, Type>, 'dueAt' | 'at'>
>;
interface Attempts {
  /** Number of recorded attempts. */
  readonly attempts: number;
}
export type AccountMail = Queued<'MailQueued'> & Attempts;
export type SubscriberMail = Queued<'SubscriberMailQueued'> & Attempts;
/** The queued message. */
export type QueuedMail = AccountMail | SubscriberMail;

export const isOfSubscriber = (queued: QueuedMail): queued is SubscriberMail => 'subscriptionId' in queued;

/** One message: queued, then sent or abandoned. */
export type Mail =
  | { readonly status: 'none' | 'declined' }
  | ({ readonly status: 'queued'; readonly dueAt: string } & QueuedMail)
  | ({ readonly status: 'sent' | 'abandoned' } & QueuedMail);

export type MailCommand = CommandsOf<{
  QueueMail: Omit<Queued<'MailQueued'>, 'facts'> & { facts: MailFacts };
  QueueSubscriberMail: Queued<'SubscriberMailQueued'>;
  RecordMailAttempt: {
    /** Counted from 1. */
    attempt: number;
    /** Null: the server accepted the message. */
    error: 'unreachable' | 'refused' | 'timeout' | null;
    /** Milliseconds from each failed attempt to the next one. The attempt after the last wait is the last. */
    backoffMs: readonly number[];
  };
  AbandonMail: { reason: 'account_erased' | 'expired' | 'opted_out' };
  DeclineMail: Pick<AccountMail, 'mailId' | 'accountId' | 'template'>;
}>;

/** True if the mail's link has expired at that time. */
export const isExpired = ({ expiresAt }: Pick<QueuedMail, 'expiresAt'>, at: string): boolean =>
  expiresAt !== undefined && !isBefore(at, expiresAt);

const rules: Rules<Mail, MailCommand, MailEvent> = {
  /** Queueing a mail again does nothing: its id derives from the command that queues it. */
  QueueMail(state, { type: _, facts, ...data }) {
    if (state.status !== 'none') return [];
    return [{ type: 'MailQueued', data: { ...data, facts: { ...facts }, dueAt: data.at } }];
  },
  QueueSubscriberMail(state, { type: _, ...data }) {
    if (state.status !== 'none') return [];
    return [{ type: 'SubscriberMailQueued', data: { ...data, dueAt: data.at } }];
  },
  RecordMailAttempt(state, { attempt, error, backoffMs, at }) {
    if (state.status !== 'queued' || attempt !== state.attempts + 1) return [];
    const { mailId } = state;
    if (error === null) return [{ type: 'MailSent', data: { mailId, attempt, at } }];
    const wait = backoffMs[attempt - 1];
    const next = wait === undefined ? undefined : after(at, wait);
    const nextAttemptAt = next === undefined || isExpired(state, next) ? null : next;
    const failed: MailEvent = {
      type: 'MailAttemptFailed',
      data: { mailId, attempt, error, nextAttemptAt, at },
    };
    if (nextAttemptAt !== null) return [failed];
    const reason = next === undefined ? 'attempts_exhausted' : 'expired';
    return [failed, { type: 'MailAbandoned', data: { mailId, reason, at } }];
  },
  AbandonMail(state, { reason, at }) {
    if (state.status !== 'queued') return [];
    return [{ type: 'MailAbandoned', data: { mailId: state.mailId, reason, at } }];
  },
  DeclineMail(state, { type: _, ...data }) {
    return state.status === 'none' ? [{ type: 'MailDeclined', data }] : [];
  },
};

export const mail: Decider<Mail, MailCommand, MailEvent> = {
  category: mailEvents,
  initialState: { status: 'none' },
  decide: decideBy(rules),
  evolve,
};

function begun(state: Mail, { type, data }: MailEvent): Mail {
  if (type === 'MailDeclined') return { status: 'declined' };
  if (type !== 'MailQueued' && type !== 'SubscriberMailQueued') return state;
  const { at: _, ...facts } = data;
  return { ...facts, status: 'queued', attempts: 0 };
}

function evolve(state: Mail, event: MailEvent): Mail {
  if (state.status === 'none') return begun(state, event);
  if (state.status !== 'queued') return state;
  const { type, data } = event;
  const { dueAt, ...facts } = state;
  switch (type) {
    case 'MailQueued':
    case 'SubscriberMailQueued':
    case 'MailDeclined':
      return state;
    case 'MailSent':
      return { ...facts, status: 'sent', attempts: data.attempt };
    case 'MailAttemptFailed':
      return { ...state, attempts: data.attempt, dueAt: data.nextAttemptAt ?? dueAt };
    case 'MailAbandoned':
      return { ...facts, status: 'abandoned' };
  }
}

export interface DueAttempt {
  readonly mailId: MailId;
  /** Whether the mail has a link that expires. Undefined if the event does not say. */
  readonly hasLink: boolean | undefined;
  /** Counted from 1. */
  readonly attempt: number;
  /** ISO 8601. */
  readonly dueAt: string;
}

/** The attempts that an event schedules. */
export const dueAttempts = (event: MailEvent): readonly DueAttempt[] => byType(attemptsDue, event) ?? [];

const first = ({ mailId, expiresAt, dueAt }: DataOf<MailEvent, 'MailQueued' | 'SubscriberMailQueued'>) => [
  { mailId, hasLink: expiresAt !== undefined, attempt: 1, dueAt },
];

const attemptsDue: Partial<ByType<MailEvent, readonly DueAttempt[]>> = {
  MailQueued: first,
  SubscriberMailQueued: first,
  MailAttemptFailed: ({ mailId, attempt, nextAttemptAt: dueAt }) =>
    dueAt === null ? [] : [{ mailId, hasLink: undefined, attempt: attempt + 1, dueAt }],
};

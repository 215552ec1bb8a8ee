import { mailEvents, type MailEvent, type MailTemplate } from '../../contracts/events/mail.ts';
import type { AccountId, MailId } from '../../contracts/ids.ts';
import type { Decider } from '../kit/decider.ts';

export { dueAttempts, type DueAttempt } from './due-attempts.ts';

export type MailFacts = Readonly<Record<string, string | number>>;

interface QueuedFacts {
  readonly mailId: MailId;
  readonly accountId: AccountId;
  readonly template: MailTemplate;
  readonly facts: MailFacts;
  /** Attempts whose outcome is recorded. */
  readonly attempts: number;
}

/** `none` is a stream without events. */
export type Mail =
  | { readonly status: 'none' }
  | ({ readonly status: 'queued'; readonly dueAt: string } & QueuedFacts)
  | ({ readonly status: 'sent' | 'abandoned' } & QueuedFacts);

export type MailCommand = QueueMail | RecordMailAttempt | AbandonMail;

export interface QueueMail {
  readonly type: 'QueueMail';
  readonly mailId: MailId;
  readonly accountId: AccountId;
  readonly template: MailTemplate;
  readonly facts: MailFacts;
  readonly at: string;
}

export interface RecordMailAttempt {
  readonly type: 'RecordMailAttempt';
  /** The first one is 1. */
  readonly attempt: number;
  /** Null: the server took it. */
  readonly error: 'unreachable' | 'refused' | 'timeout' | null;
  /** Milliseconds to wait after a first, second, … failed attempt; after as many as there are, one more is the last. */
  readonly backoffMs: readonly number[];
  readonly at: string;
}

export interface AbandonMail {
  readonly type: 'AbandonMail';
  readonly reason: 'account_erased';
  readonly at: string;
}

/** One message to the owner of an account: queued → sent, or given up. */
export const mail: Decider<Mail, MailCommand, MailEvent> = {
  category: mailEvents,
  initialState: { status: 'none' },
  decide: (command, state) => {
    switch (command.type) {
      case 'QueueMail':
        return queue(state, command);
      case 'RecordMailAttempt':
        return recordAttempt(state, command);
      case 'AbandonMail':
        return abandon(state, command);
    }
  },
  evolve,
};

type Decision = readonly MailEvent[];

/** The same mail again is nothing new: its id says what it is about. */
function queue(state: Mail, { type: _, facts, ...data }: QueueMail): Decision {
  if (state.status !== 'none') return [];
  return [{ type: 'MailQueued', data: { ...data, facts: { ...facts }, dueAt: data.at } }];
}

function recordAttempt(state: Mail, { attempt, error, backoffMs, at }: RecordMailAttempt): Decision {
  if (state.status !== 'queued' || attempt !== state.attempts + 1) return [];
  const { mailId } = state;
  if (error === null) return [{ type: 'MailSent', data: { mailId, attempt, at } }];
  const wait = backoffMs[attempt - 1];
  const nextAttemptAt = wait === undefined ? null : new Date(Date.parse(at) + wait).toISOString();
  const failed: MailEvent = {
    type: 'MailAttemptFailed',
    data: { mailId, attempt, error, nextAttemptAt, at },
  };
  if (nextAttemptAt !== null) return [failed];
  return [failed, { type: 'MailAbandoned', data: { mailId, reason: 'attempts_exhausted', at } }];
}

function abandon(state: Mail, { reason, at }: AbandonMail): Decision {
  if (state.status !== 'queued') return [];
  return [{ type: 'MailAbandoned', data: { mailId: state.mailId, reason, at } }];
}

/** An event that does not fit the status (none is ever decided) leaves the state as it was. */
function evolve(state: Mail, { type, data }: MailEvent): Mail {
  if (state.status === 'none') {
    if (type !== 'MailQueued') return state;
    const { at: _, ...facts } = data;
    return { ...facts, status: 'queued', attempts: 0 };
  }
  if (state.status !== 'queued') return state;
  const { dueAt, ...facts } = state;
  switch (type) {
    case 'MailQueued':
      return state;
    case 'MailSent':
      return { ...facts, status: 'sent', attempts: data.attempt };
    case 'MailAttemptFailed':
      return { ...state, attempts: data.attempt, dueAt: data.nextAttemptAt ?? dueAt };
    case 'MailAbandoned':
      return { ...facts, status: 'abandoned' };
  }
}

import type { MailEvent } from '../../contracts/events/mail.ts';
import type { MailId } from '../../contracts/ids.ts';

export interface DueAttempt {
  readonly mailId: MailId;
  /** The first one is 1. */
  readonly attempt: number;
  /** ISO 8601. */
  readonly dueAt: string;
}

/** The attempts a mail's events set a time for. */
export function dueAttempts({ type, data }: MailEvent): readonly DueAttempt[] {
  switch (type) {
    case 'MailQueued':
      return [{ mailId: data.mailId, attempt: 1, dueAt: data.dueAt }];
    case 'MailAttemptFailed': {
      const { mailId, attempt, nextAttemptAt } = data;
      return nextAttemptAt === null ? [] : [{ mailId, attempt: attempt + 1, dueAt: nextAttemptAt }];
    }
    case 'MailSent':
    case 'MailAbandoned':
      return [];
  }
}

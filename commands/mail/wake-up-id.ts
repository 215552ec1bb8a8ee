import { parseId, type MailId } from '../../contracts/ids.ts';

/** A wake-up is for one attempt, so that the one before it, still under way, does not stand for it. */
export const wakeUpIdOf = (mailId: MailId, attempt: number): string => `${mailId}-${attempt}`;

/** Undefined when it is no wake-up of a mail. */
export const mailOfWakeUp = (id: string): MailId | undefined =>
  parseId('mail', id.slice(0, id.lastIndexOf('-')));

import type { MailTemplate } from '../../../contracts/events/mail.ts';
import type { FactOf } from '../facts.ts';
import type { MailPage } from '../layout.ts';

/** A template without its footer, which all mails share. */
export type MailBody = Omit<MailPage, 'footer'>;

/** `until`: when the mail's link stops working. Each fact is one line of text. */
export type TextFact<T extends MailTemplate> =
  | FactOf<T>
  | (FactOf<T> & 'link' extends never ? never : 'until');

export type TemplatesOf<T extends MailTemplate> = {
  readonly [Each in T]: (facts: Readonly<Record<TextFact<Each>, string>>) => MailBody;
};

/** `api_starter` as `API Starter`. */
export const tierName = (tier: string): string =>
  tier
    .split('_')
    .map((word) => (word === 'api' ? 'API' : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(' ');

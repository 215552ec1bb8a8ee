import type { MailTemplate } from '../../../contracts/events/mail.ts';
import type { FactOf } from '../facts.ts';
import type { MailPage } from '../layout.ts';

/** A template without its footer, which all mails share. */
export type MailBody = Omit<MailPage, 'footer'>;

/** `until`: when the mail's link stops working. */
export type TextFact<T extends MailTemplate> =
  | FactOf<T>
  | (FactOf<T> & 'link' extends never ? never : 'until');

/** Lines of text, none of which is empty. */
export type Lines = readonly [first: string, ...string[]];

/** Each fact is one line of text, and a `message` at least one. */
export type TextFacts<T extends MailTemplate> = {
  readonly [Each in TextFact<T>]: Each extends 'message' ? Lines : string;
};

export type TemplatesOf<T extends MailTemplate> = {
  readonly [Each in T]: (facts: TextFacts<Each>) => MailBody;
};

/** The text, or its beginning with an ellipsis: at most so many characters (code points), none of which is cut itself. */
export const shortened = (text: string, most: number): string => {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
};

/** `api_starter` as `API Starter`. */
export const tierName = (tier: string): string =>
  tier
    .split('_')
    .map((word) => (word === 'api' ? 'API' : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(' ');

import { mailFacts, type OpenedMail } from './facts.ts';
import { layOutHtml, layOutText, type MailPage } from './layout.ts';
import { accessTemplates } from './templates/access.ts';
import { accountTemplates } from './templates/account.ts';
import { billingTemplates } from './templates/billing.ts';
import { deprecationTemplates } from './templates/deprecation.ts';
import { statusTemplates } from './templates/status.ts';
import { webhookTemplates } from './templates/webhook.ts';
import { shortened, type Lines, type TemplatesOf, type TextFacts } from './templates/types.ts';
import type { MailTemplate } from '../../contracts/events/mail.ts';

export interface RenderedMail {
  readonly template: MailTemplate;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly unsubscribe: string | undefined;
}

const templates: TemplatesOf<MailTemplate> = {
  ...accessTemplates,
  ...accountTemplates,
  ...webhookTemplates,
  ...billingTemplates,
  ...deprecationTemplates,
  ...statusTemplates,
};

/** Removes line ends and invisible characters, which could add lines or headers, or change the direction of text. */
const cleaned = (value: string): string => value.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();

const oneLine = (value: string): string => shortened(cleaned(value), maxFactLength);
/** Longer than any address or link of the service. */
const maxFactLength = 2000;

const missing = '(unknown)';

/** Text of several lines, at its whole length. */
function linesOf(value: string): Lines {
  const [first = missing, ...more] = value
    .split(/[\r\n\p{Zl}\p{Zp}]/u)
    .map(cleaned)
    .filter((line) => line !== '');
  return [first, ...more];
}

const timeFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});
const timeOf = (at: string): string => {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? oneLine(at) : `${timeFormat.format(time)} UTC`;
};

/** A missing fact, as in mails of older forms, reads `(unknown)`: better than no mail. */
function factsOf({ template, facts, expiresAt }: OpenedMail): TextFacts<MailTemplate> {
  const named = mailFacts[template].map((name) => {
    const value = String(facts[name] ?? missing);
    if (name === 'message') return [name, linesOf(value)];
    return [name, name.endsWith('_at') ? timeOf(value) : oneLine(value)];
  });
  const until = timeOf(expiresAt ?? missing);
  return Object.fromEntries([...named, ['until', until]]) as TextFacts<MailTemplate>;
}

/** The mail as text and as HTML, with the same words. `unsubscribe`: link to opt out of its kind. */
export function renderMail(
  mail: OpenedMail,
  { unsubscribe }: { readonly unsubscribe?: string | undefined } = {},
): RenderedMail {
  const { template, accountId } = mail;
  const label =
    accountId === null ? 'Unsubscribe from mails about incidents' : 'Unsubscribe from mails of this kind';
  const optOut = unsubscribe === undefined ? [] : [{ label, link: unsubscribe }];
  const reason =
    accountId === null ? 'This address was entered on our status page.' : `About account ${accountId}.`;
  const footer = [reason, ...optOut];
  const page: MailPage = { ...templates[template](factsOf(mail)), footer };
  return { template, subject: page.subject, text: layOutText(page), html: layOutHtml(page), unsubscribe };
}

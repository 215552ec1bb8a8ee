import { Argument, Option } from 'commander';
import {
  openMail,
  renderMail,
  sampleMail,
  sampleSubscriberLink,
  sampleSubscriber,
  sampleUnsubscribeLink,
  unsubscribeLinkOf,
} from '../../../commands/mail/index.ts';
import { mailTemplates, subscriberMailTemplates, type MailTemplate } from '../../../contracts/events/mail.ts';
import { uuidOf, type MailId } from '../../../contracts/ids.ts';
import { isOfSubscriber, mail, type QueuedMail } from '../../../domain/mail.ts';
import { listMails, type MailFilter } from '../../../projections/queries/mail.ts';
import { openSubscriberLinks, openUnsubscribeLinks } from '../composition/links.ts';
import type { ServiceCommand } from './command.ts';
import type { Operator } from './operator.ts';
import { listAnswer, type Answer } from './output.ts';
import { count, idOf } from './parse.ts';

const htmlOption = ['--html', 'print the HTML part instead'] as const;
const statuses = ['queued', 'sent', 'abandoned'] as const;

/** `service mail …` */
export function mailCommands(program: ServiceCommand): void {
  const mails = program
    .command('mail')
    .description('mails to the owners of accounts; addresses are not shown');
  mails
    .command('list')
    .description('list mails from the read model, newest first; queued ones wait in the outbox')
    .option('--account <id>', 'only those to the owner of this account', idOf('account'))
    .addOption(new Option('--status <status>', 'only those in this state').choices(statuses))
    .option('--limit <mails>', 'at most this many', count, 50)
    .operates('array', list);
  mails
    .command('show')
    .description('show the text of a mail, with its link; addresses are not shown')
    .argument('<mail>', 'mail_<uuid>', idOf('mail'))
    .option(...htmlOption)
    .operates('object', show);
  mails
    .command('preview')
    .description('show a template with sample facts; works without a running service')
    .addArgument(
      new Argument('<template>', 'name of the template').choices([
        ...mailTemplates,
        ...subscriberMailTemplates,
      ]),
    )
    .option(...htmlOption)
    .answers('object', preview);
}

interface ShowOptions {
  readonly html?: boolean;
}

const list = async ({ pool }: Operator, filter: MailFilter): Promise<Answer> =>
  listAnswer(await listMails(pool, filter), 'There are no mails.', {
    mail: 'id',
    account: 'account_id',
    about: 'template',
    status: 'status',
    attempts: 'attempt_count',
    'next attempt': 'next_attempt_at',
    created: 'created_at',
  });

/** Opens sealed facts, like sending. Does not show the recipient's address. */
async function show(operator: Operator, id: MailId, { html: asHtml }: ShowOptions): Promise<Answer> {
  const { state } = await operator.runner.load(mail, uuidOf(id));
  if (!('facts' in state)) throw new Error(`There is no mail ${id}.`);
  const subscriberLink = openSubscriberLinks(operator);
  const opened = await openMail({ ...operator, subscriberLink }, state);
  if (opened === undefined)
    throw new Error(`The text of ${id} cannot be read any more: its account is erased.`);
  const unsubscribe = isOfSubscriber(state)
    ? subscriberLink('unsubscribe', state)
    : unsubscribeLinkOf(openUnsubscribeLinks(operator), state);
  const { subject, text, html } = renderMail(opened, { unsubscribe });
  const { template, status } = state;
  const { accountId: account } = opened;
  const to = readerOf(state);
  const head = [`To       ${to} (${status})`, `About    ${template}`, `Subject  ${subject}`, ''];
  const value = { mail_id: id, account_id: account, template, status, subject, text };
  return asHtml ? { value: { ...value, html }, lines: [html] } : { value, lines: [...head, text.trimEnd()] };
}

function readerOf(queued: QueuedMail): string {
  if (isOfSubscriber(queued)) return 'a subscriber of the status page';
  return queued.sealedTo === undefined
    ? `the owner of ${queued.accountId}`
    : `a person without an account, on behalf of ${queued.accountId}`;
}

/** Renders a template with made-up facts, without a running stack. */
function preview(template: MailTemplate, { html: asHtml }: ShowOptions): Promise<Answer> {
  const sample = sampleMail(template);
  const unsubscribe =
    sample.accountId === null
      ? sampleSubscriberLink('unsubscribe', sampleSubscriber)
      : unsubscribeLinkOf(sampleUnsubscribeLink, sample);
  const { subject, text, html } = renderMail(sample, { unsubscribe });
  const value = { template, subject, text };
  return Promise.resolve(
    asHtml
      ? { value: { ...value, html }, lines: [html] }
      : { value, lines: [`Subject  ${subject}`, '', text.trimEnd()] },
  );
}

import { Option } from 'commander';
import { openMail, renderMail } from '../../../commands/mail/index.ts';
import { uuidOf, type AccountId, type MailId } from '../../../contracts/ids.ts';
import { mail } from '../../../domain/mail.ts';
import { listMails } from '../../../projections/queries/mail.ts';
import type { ServiceCommand } from './command.ts';
import type { Operator } from './operator.ts';
import { tableOf, type Answer } from './output.ts';
import { count, idOf } from './parse.ts';

const statuses = ['queued', 'sent', 'abandoned'] as const;

/** `service mail …` */
export function mailCommands(program: ServiceCommand): void {
  const mails = program
    .command('mail')
    .description('messages to the owners of accounts; no address is shown');
  mails
    .command('list')
    .description('the newest first, as the read model has them; queued ones wait in the outbox')
    .option('--account <id>', 'to its owner', idOf('account'))
    .addOption(new Option('--status <status>', 'in this state only').choices(statuses))
    .option('--limit <mails>', 'at most this many', count, 50)
    .operates('array', list);
  mails
    .command('show')
    .description('what one says')
    .argument('<mail>', 'mail_<uuid>', idOf('mail'))
    .operates('object', show);
}

interface Filter {
  readonly account?: AccountId;
  readonly status?: (typeof statuses)[number];
  readonly limit: number;
}

async function list({ pool }: Operator, filter: Filter): Promise<Answer> {
  const value = await listMails(pool, filter);
  const head = ['mail', 'account', 'about', 'status', 'attempts', 'next attempt', 'created'];
  const cells = value.map((row) => [
    row.id,
    row.account_id,
    row.template,
    row.status,
    row.attempt_count,
    row.next_attempt_at?.toISOString(),
    row.created_at.toISOString(),
  ]);
  return { value, lines: value.length === 0 ? ['There is no mail.'] : tableOf([head, ...cells]) };
}

/** Opens what is sealed, as sending it does. The recipient's address is not shown. */
async function show({ runner, vault }: Operator, id: MailId): Promise<Answer> {
  const { state } = await runner.load(mail, uuidOf(id));
  if (state.status === 'none') throw new Error(`There is no mail ${id}.`);
  const opened = await openMail({ vault }, state);
  const { accountId: account, template, status } = state;
  if (opened === undefined)
    throw new Error(`The account of ${id} is erased, and the mail's content with it.`);
  const { subject, text } = renderMail(opened);
  return {
    value: { mail_id: id, account_id: account, template, status, subject, text },
    lines: [`To       the owner of ${account} (${status})`, `Subject  ${subject}`, '', text.trimEnd()],
  };
}

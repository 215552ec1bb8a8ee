import { Option, type Command } from 'commander';
import { mailText } from '../../../commands/mail/index.ts';
import { uuidOf, type AccountId, type MailId } from '../../../contracts/ids.ts';
import { mail } from '../../../domain/mail.ts';
import { listMails } from '../../../projections/queries/mail.ts';
import { asOperator } from './operator.ts';
import { show, tableOf, type Json } from './output.ts';
import { accountId, count, mailId } from './parse.ts';

const statuses = ['queued', 'sent', 'abandoned'] as const;

/** `service mail …` */
export function mailCommands(program: Command): void {
  const mails = program
    .command('mail')
    .description('messages to the owners of accounts; no address is shown');
  mails
    .command('list')
    .description('the newest first, as the read model has them; queued ones wait in the outbox')
    .option('--account <id>', 'to its owner', accountId)
    .addOption(new Option('--status <status>', 'in this state only').choices(statuses))
    .option('--limit <mails>', 'at most this many', count, 50)
    .option('--json', 'print one JSON array')
    .action(list);
  mails
    .command('show')
    .description('what one says')
    .argument('<mail>', 'mail_<uuid>', mailId)
    .option('--json', 'print one JSON object')
    .action(showOne);
}

interface Listing extends Json {
  readonly account?: AccountId;
  readonly status?: (typeof statuses)[number];
  readonly limit: number;
}

function list({ json, ...filter }: Listing): Promise<void> {
  return asOperator(async ({ pool }) => {
    const rows = await listMails(pool, filter);
    const head = ['mail', 'account', 'about', 'status', 'attempts', 'next attempt', 'created'];
    const cells = rows.map((row) => [
      row.id,
      row.account_id,
      row.template,
      row.status,
      row.attempt_count,
      row.next_attempt_at?.toISOString(),
      row.created_at.toISOString(),
    ]);
    show(json, rows, rows.length === 0 ? ['There is no mail.'] : tableOf([head, ...cells]));
  });
}

function showOne(id: MailId, { json }: Json): Promise<void> {
  return asOperator(async ({ runner }) => {
    const { state } = await runner.load(mail, uuidOf(id));
    if (state.status === 'none') throw new Error(`There is no mail ${id}.`);
    const { accountId: account, template, status } = state;
    const { subject, text } = mailText(template, state.facts);
    show(json, { mail_id: id, account_id: account, template, status, subject, text }, [
      `To       the owner of ${account} (${status})`,
      `Subject  ${subject}`,
      '',
      text.trimEnd(),
    ]);
  });
}

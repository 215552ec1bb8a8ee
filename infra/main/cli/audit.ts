import { Option, type Command } from 'commander';
import type { AccountId } from '../../../contracts/ids.ts';
import { exportAudit, verifyAudit } from '../../../projections/index.ts';
import { asOperator } from './operator.ts';
import { show, type Json } from './output.ts';
import { accountId } from './parse.ts';

/** `service audit …` */
export function auditCommands(program: Command): void {
  const audit = program.command('audit').description('an account’s audit log');
  audit
    .command('verify')
    .description(
      'hold every entry to the record and to the one before it; exit status 1 and the first broken entry',
    )
    .requiredOption('--account <id>', 'acc_<uuid>', accountId)
    .option('--json', 'print one JSON object')
    .action(verify);
  audit
    .command('export')
    .description('the whole log on standard output')
    .requiredOption('--account <id>', 'acc_<uuid>', accountId)
    .addOption(new Option('--format <format>', 'csv or jsonl').choices(['csv', 'jsonl']).default('jsonl'))
    .option('--json', 'the same as --format jsonl')
    .action(exportAll);
}

interface OfAccount extends Json {
  readonly account: AccountId;
}

function verify({ account, json }: OfAccount): Promise<void> {
  return asOperator(async ({ pool, store }) => {
    const verdict = await verifyAudit(account, { pool, store });
    if (verdict.ok) return show(json, verdict, [`${account}: ${verdict.entries} entries, the chain holds`]);
    const { sequence, id } = verdict.entry;
    show(json, verdict, [
      `${account}: broken at entry ${sequence}${id === null ? '' : ` (${id})`}: ${verdict.reason}`,
    ]);
    process.exitCode = 1;
  });
}

function exportAll({ account, format, json }: OfAccount & { format: 'csv' | 'jsonl' }): Promise<void> {
  return asOperator(async ({ pool }) => {
    for await (const piece of exportAudit(account, { pool, format: json ? 'jsonl' : format })) {
      process.stdout.write(piece);
    }
  });
}

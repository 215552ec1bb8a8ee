import { Option } from 'commander';
import type { AccountId } from '../../../contracts/ids.ts';
import { exportAudit, verifyAudit } from '../../../projections/index.ts';
import { signingStop } from '../../../projections/audit/guard.ts';
import { isHeadUnreadable } from '../../notes/kept-head.ts';
import { openNoteKeys } from '../composition/stores.ts';
import type { ServiceCommand } from './command.ts';
import { asOperator, assertAccount, type Operator } from './operator.ts';
import type { Answer, Json } from './output.ts';

/** `service audit …` */
export function auditCommands(program: ServiceCommand): void {
  const audit = program.command('audit').description('audit logs of accounts');
  audit
    .command('verify')
    .description(
      'compare every entry with the event log and with the hash of the entry before it; exit status 1 with the first broken entry',
    )
    .ofAccount()
    .operates('object', verify);
  audit
    .command('export')
    .description('write the whole audit log to standard output')
    .ofAccount()
    .addOption(new Option('--format <format>', 'csv or jsonl').choices(['csv', 'jsonl']).default('jsonl'))
    .option('--json', 'the same as --format jsonl')
    .action(exportAll);
  audit
    .command('new-log')
    .description(
      'start a new log if the present one contradicts heads that were signed; its notes name the old heads',
    )
    .operates('object', beginLog);
}

interface OfAccount {
  readonly account: AccountId;
}

async function verify({ pool, store }: Operator, { account }: OfAccount): Promise<Answer> {
  await assertAccount({ store }, account);
  const verdict = await verifyAudit(account, { pool, store });
  if (verdict.ok)
    return { value: verdict, lines: [`${account}: ${verdict.entries} entries, the hash chain is intact`] };
  const { sequence, id } = verdict.entry;
  const entry = `entry ${sequence}${id === null ? '' : ` (${id})`}`;
  return { value: verdict, lines: [`${account}: broken at ${entry}: ${verdict.reason}`], failed: true };
}

async function beginLog({ config, pool }: Operator): Promise<Answer> {
  const noteKeys = openNoteKeys(config, pool);
  const { log, name: before } = await noteKeys.current();
  const reason = await signingStop(pool, log);
  if (reason === null)
    throw new Error(`No new log is needed: ${before} contradicts none of its signed heads.`);
  if (isHeadUnreadable(reason)) throw new Error(`A new log would not be signed either. ${reason}`);
  const { name, vkey, introduction } = await noteKeys.beginLog();
  return {
    value: { before, reason, name, vkey, introduction },
    lines: [
      `${name} replaces ${before}. It is signed with ${vkey}; no restart is needed. Tell your customers why: ${reason}`,
    ],
  };
}

function exportAll({ account, format, json }: OfAccount & Json & { format: 'csv' | 'jsonl' }): Promise<void> {
  return asOperator(async ({ pool, store }) => {
    await assertAccount({ store }, account);
    for await (const piece of exportAudit(account, { pool, format: json ? 'jsonl' : format })) {
      process.stdout.write(piece);
    }
  });
}

import type { AccountId } from '../../../contracts/ids.ts';
import type { Tier } from '../../../contracts/tiers.ts';
import { accountDetail, listAccounts } from '../../../projections/queries/account.ts';
import { sessionsOf } from '../../../projections/queries/session.ts';
import type { ServiceCommand } from './command.ts';
import type { Operator } from './operator.ts';
import { tableOf, type Answer } from './output.ts';
import { count, tierName } from './parse.ts';

/** `service account list`, `service account show` */
export function accountViews(group: ServiceCommand): void {
  group
    .command('list')
    .description('the newest first, as the read model has them')
    .option('--tier <tier>', 'of this tier only', tierName)
    .option('--suspended', 'suspended ones only')
    .option('--limit <accounts>', 'at most this many', count, 50)
    .operates('array', list);
  group
    .command('show')
    .ofAccount()
    .description('one, with its address and what it has')
    .operates('object', show);
}

/** `service sessions-of` */
export function sessionsOfCommand(program: ServiceCommand): void {
  program
    .command('sessions-of')
    .ofAccount()
    .description('the sessions of an account, the newest first, with their nodes')
    .option('--live', 'only those that have not ended')
    .option('--limit <sessions>', 'at most this many', count, 50)
    .operates('array', listSessions);
}

interface AccountFilter {
  readonly tier?: Tier;
  readonly suspended?: true;
  readonly limit: number;
}

async function list({ pool }: Operator, filter: AccountFilter): Promise<Answer> {
  const value = await listAccounts(pool, filter);
  const head = ['account', 'tier', 'suspended', 'erased', 'live sessions', 'created'];
  const cells = value.map((row) => [
    row.id,
    row.tier,
    row.suspended_at?.toISOString(),
    row.erased_at?.toISOString(),
    row.live_sessions,
    row.created_at.toISOString(),
  ]);
  return { value, lines: value.length === 0 ? ['There is no such account.'] : tableOf([head, ...cells]) };
}

async function show({ pool, vault }: Operator, { account }: { account: AccountId }): Promise<Answer> {
  const found = await accountDetail(pool, account);
  if (found === undefined) throw new Error(`There is no account ${account}.`);
  const { sealed_email, ...facts } = found;
  const email = await vault.open(account, 'email', sealed_email);
  const value = { ...facts, email: 'text' in email ? email.text : null };
  const rows = Object.entries(value).map(([name, fact]) => [
    name.replaceAll('_', ' '),
    fact instanceof Date ? fact.toISOString() : fact,
  ]);
  return { value, lines: tableOf(rows) };
}

interface SessionFilter {
  readonly account: AccountId;
  readonly live?: true;
  readonly limit: number;
}

async function listSessions({ pool }: Operator, filter: SessionFilter): Promise<Answer> {
  const value = await sessionsOf(pool, filter);
  const head = ['session', 'status', 'node', 'label', 'created', 'ended', 'reason'];
  const cells = value.map((row) => [
    row.id,
    row.status,
    row.node_id,
    row.label,
    row.created_at.toISOString(),
    row.destroyed_at?.toISOString(),
    row.ended_reason,
  ]);
  return { value, lines: value.length === 0 ? ['There is no such session.'] : tableOf([head, ...cells]) };
}

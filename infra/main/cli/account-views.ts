import type { AccountId } from '../../../contracts/ids.ts';
import { tiers } from '../../../contracts/tiers.ts';
import { accountDetail, listAccounts, type AccountFilter } from '../../../projections/queries/account.ts';
import { sessionsOf, type SessionFilter } from '../../../projections/queries/session.ts';
import { openRows } from '../../personal/text.ts';
import type { ServiceCommand } from './command.ts';
import { assertAccount, type Operator } from './operator.ts';
import { factTable, listAnswer, type Answer } from './output.ts';
import { count, tierName } from './parse.ts';

/** `service account list`, `service account show` */
export function accountViews(group: ServiceCommand): void {
  group
    .command('list')
    .description('list accounts from the read model, newest first')
    .option('--tier <tier>', `only accounts of this tier, one of ${tiers.join(', ')}`, tierName)
    .option('--suspended', 'only suspended accounts')
    .option('--limit <accounts>', 'at most this many', count, 50)
    .operates('array', list);
  group
    .command('show')
    .ofAccount()
    .description('show an account: its owner’s email address, its state and its counts')
    .operates('object', show);
}

/** `service sessions-of` */
export function sessionsOfCommand(program: ServiceCommand): void {
  program
    .command('sessions-of')
    .ofAccount()
    .description('list the sessions of an account with their nodes, newest first')
    .option('--live', 'only those that have not ended')
    .option('--limit <sessions>', 'at most this many', count, 50)
    .operates('array', listSessions);
}

const list = async ({ pool }: Operator, filter: AccountFilter): Promise<Answer> =>
  listAnswer(await listAccounts(pool, filter), 'There is no such account.', {
    account: 'id',
    tier: 'tier',
    suspended: 'suspended_at',
    erased: 'erased_at',
    'live sessions': 'live_sessions',
    created: 'created_at',
  });

/** An account's facts, with its address; undefined if there is no such account. */
export async function factsOf({ pool, vault }: Operator, account: AccountId) {
  const found = await accountDetail(pool, account);
  if (found === undefined) return undefined;
  const { sealed_email, ...facts } = found;
  const email = await vault.open(account, 'email', sealed_email);
  return { ...facts, email: 'text' in email ? email.text : null };
}

async function show(operator: Operator, { account }: { account: AccountId }): Promise<Answer> {
  const value = await factsOf(operator, account);
  if (value === undefined) throw new Error(`There is no account ${account}.`);
  return { value, lines: factTable(value) };
}

async function listSessions({ pool, store, vault }: Operator, filter: SessionFilter): Promise<Answer> {
  await assertAccount({ store }, filter.account);
  return listAnswer(await openRows(vault, await sessionsOf(pool, filter)), 'There is no such session.', {
    session: 'id',
    status: 'status',
    node: 'node_id',
    label: 'label',
    created: 'created_at',
    ended: 'destroyed_at',
    reason: 'ended_reason',
  });
}

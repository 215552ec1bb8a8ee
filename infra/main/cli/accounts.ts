import type { Command } from 'commander';
import { scopes, type Scope } from '../../../contracts/events/api-key.ts';
import type { AccountId } from '../../../contracts/ids.ts';
import { Refusal, type ProblemSlug } from '../../../contracts/problems.ts';
import type { Tier } from '../../../contracts/tiers.ts';
import { asOperator, type Operator } from './operator.ts';
import { show, type Json } from './output.ts';
import { accountId, count, tier } from './parse.ts';

/** `service account …` */
export function accountCommands(program: Command): void {
  const account = program.command('account').description('make accounts, change their tier, suspend them');
  const named = (name: string, description: string) =>
    account
      .command(name)
      .description(description)
      .requiredOption('--account <id>', 'acc_<uuid>', accountId)
      .option('--json', 'print one JSON object');

  account
    .command('create')
    .description('make an account with a first API key, which is shown only this once')
    .requiredOption('--email <address>', 'the address of its owner')
    .requiredOption('--tier <tier>', 'its tier', tier)
    .option('--first', 'only if the record has no account yet; prints null otherwise')
    .option('--json', 'print one JSON object')
    .action((options: NewAccount) => asOperator((operator) => create(operator, options)));
  changeCommands(named);
}

/** Those that change one account, each made by `named` with what all of them take. */
function changeCommands(named: (name: string, description: string) => Command): void {
  named('set-tier', 'change the tier; holds for the next request')
    .requiredOption('--tier <tier>', 'the new one', tier)
    .action((options: Named & { tier: Tier }) =>
      change(options, { tier: options.tier }, ({ accounts, context }) =>
        accounts.setTier(options.account, options.tier, context),
      ),
    );
  named('suspend', 'refuse its requests with 403 and end its sessions')
    .option('--reason <text>', 'why; it is kept in the record', 'suspended by staff')
    .action((options: Named & { reason: string }) =>
      change(options, { suspended: true }, ({ accounts, context }) =>
        accounts.suspend(options.account, options.reason, context),
      ),
    );
  named('unsuspend', 'let it in again').action((options: Named) =>
    change(options, { suspended: false }, ({ accounts, context }) =>
      accounts.unsuspend(options.account, context),
    ),
  );
  named(
    'override-concurrency',
    'raise its concurrent sessions above its tier; without --limit the tier counts again',
  )
    .option('--limit <sessions>', 'concurrent sessions', count)
    .action((options: Named & { limit?: number }) =>
      change(options, { concurrent_sessions: options.limit ?? null }, ({ accounts, context }) =>
        accounts.overrideConcurrency(options.account, options.limit ?? null, context),
      ),
    );
}

interface NewAccount extends Json {
  readonly email: string;
  readonly tier: Tier;
  readonly first?: boolean;
}

interface Named extends Json {
  readonly account: AccountId;
}

const firstScopes: readonly Scope[] = scopes;

async function create(operator: Operator, { email, tier: ofTier, first, json }: NewAccount): Promise<void> {
  const created = first
    ? await createFirst(operator, { email, tier: ofTier })
    : await operator.accounts.create({ email, tier: ofTier }, operator.context);
  if (created === undefined) return show(json, null, ['There are accounts already.']);
  const key = { name: 'first key', scopes: firstScopes, expiresAt: null };
  const issued = await operator.apiKeys.create(created.accountId, key, 'staff', operator.context);
  await operator.noted(created.accountId, issued.position ?? created.position);
  const result = { account_id: created.accountId, api_key_id: issued.record.apiKeyId, api_key: issued.text };
  show(json, result, [
    `Account  ${result.account_id}, tier ${ofTier}`,
    `Key      ${result.api_key_id}`,
    `         ${result.api_key} (shown only this once)`,
  ]);
}

/** Of several that ask at once for one address, its reservation lets one through, and the account's stream one more never. */
async function createFirst({ store, accounts, context }: Operator, account: { email: string; tier: Tier }) {
  for await (const _account of store.readAll({ prefixes: ['account-'] })) return undefined;
  try {
    return await accounts.create(account, context);
  } catch (error) {
    if (error instanceof Refusal && existing.has(error.slug)) return undefined;
    throw error;
  }
}

const existing: ReadonlySet<ProblemSlug> = new Set(['email-already-registered', 'conflict']);

/** Says what is now so, and whether the record had to change for it. */
function change(
  { account, json }: Named,
  result: Readonly<Record<string, string | number | boolean | null>>,
  work: (operator: Operator) => ReturnType<Operator['accounts']['unsuspend']>,
): Promise<void> {
  return asOperator(async (operator) => {
    const position = await work(operator);
    await operator.noted(account, position);
    const changed = position !== undefined;
    const said = Object.entries(result).map(([name, value]) => `${name} ${String(value ?? 'as its tier')}`);
    show(json, { account_id: account, ...result, changed }, [
      `${account}: ${said.join()}${changed ? '' : ' already'}`,
    ]);
  });
}

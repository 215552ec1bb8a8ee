import { accountViews } from './account-views.ts';
import { consoleLinkFor } from './console-link.ts';
import type { ServiceCommand } from './command.ts';
import { scopes } from '../../../contracts/events/api-key.ts';
import { uuidOf, type AccountId } from '../../../contracts/ids.ts';
import { Refusal, type ProblemSlug } from '../../../contracts/problems.ts';
import { tiers, type Tier } from '../../../contracts/tiers.ts';
import type { Position } from '../../event-store/client/index.ts';
import type { Operator } from './operator.ts';
import type { Answer } from './output.ts';
import { setBundledCeiling } from '../../../commands/bundled-llm.ts';
import { removeSecondFactor } from '../../../commands/second-factor/index.ts';
import { renewingSubscriptions, subscription } from '../../../domain/subscription.ts';
import { systemClock as clock } from '../../platform/clock.ts';
import { amount, count, shownText, tierName } from './parse.ts';

/** `service account …` */
export function accountCommands(program: ServiceCommand): void {
  const group = program.command('account').description('list, create, change, suspend and erase accounts');
  accountViews(group);
  group
    .command('create')
    .description('create an account and its first API key, which is shown only once')
    .requiredOption('--email <address>', 'email address of its owner')
    .requiredOption('--tier <tier>', `one of ${tiers.join(', ')}`, tierName)
    .option('--first', 'create it only if no account exists yet; otherwise, --json prints null')
    .option('--console-link', 'create a link that signs it in to the console, too, as console-link does')
    .operates('object', createAccount);
  const changing = <Options>(name: string, change: Change<Options>) =>
    group.command(name).ofAccount().operates('object', changed(change));
  changing('set-tier', setTier)
    .description('change the tier, from the next request on')
    .requiredOption('--tier <tier>', `one of ${tiers.join(', ')}`, tierName);
  changing('suspend', suspend)
    .description(
      'refuse its requests with 403 and end its sessions; subscriptions by card that renew run on: they are named, and must be cancelled at the processor',
    )
    .option('--reason <text>', 'the reason, shown in its audit log', shownText(500), 'suspended by staff');
  changing('erase', erase).description(
    'irreversible: end everything of the account and destroy its data key, so that its personal data becomes unreadable',
  );
  changing('unsuspend', unsuspend).description('end the suspension');
  for (const [name, override, resources] of overrides)
    changing(name, override)
      .description(
        `raise its limit of ${resources} above that of its tier; without --limit, restore the tier’s limit`,
      )
      .option('--limit <number>', resources, count);
  changing('remove-second-factor', removeFactor).description(
    'remove the second factor of an owner who has lost the device and the recovery codes; verify their identity first: from then on, the password is enough',
  );
  changing('set-bundled-cap', setBundledCap)
    .description(
      'set the most that it may spend on the bundled model in a month; without --cents, restore the default',
    )
    .option('--cents <cents>', 'cents of a US dollar', amount);
}

interface NewAccount {
  readonly email: string;
  readonly tier: Tier;
  readonly first?: boolean;
  readonly consoleLink?: boolean;
}

/** `service account create`. */
export async function createAccount(
  operator: Operator,
  { email, tier, first, consoleLink }: NewAccount,
): Promise<Answer> {
  const created = first
    ? await createFirst(operator, { email, tier })
    : await operator.accounts.create({ email, tier }, operator.context);
  if (created === undefined) return { value: null, lines: ['An account exists already. None was created.'] };
  const key = { name: 'first key', scopes, expiresAt: null };
  const issued = await operator.apiKeys.create(created.accountId, key, 'staff', operator.context);
  await operator.awaitInReads(created.accountId, issued.position ?? created.position);
  const signIn = consoleLink ? await consoleLinkFor(operator, created.accountId) : undefined;
  const value = {
    ...{ account_id: created.accountId, api_key_id: issued.record.apiKeyId, api_key: issued.text },
    ...(signIn && { console_link: signIn.link }),
  };
  const lines = [
    `Account  ${value.account_id}, tier ${tier}`,
    `Key      ${value.api_key_id}`,
    `         ${value.api_key} (shown only this once)`,
    ...(signIn ? [`Console  ${signIn.link} (works once, until ${signIn.expires_at})`] : []),
  ];
  return { value, lines };
}

/**
 * Of concurrent creations with one address one succeeds, by the address's reservation; later ones fail on the account's stream.
 */
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

interface Named {
  readonly account: AccountId;
}

/** Changes an account. Returns the resulting facts, the position of the event, if there is one, and what remains to be done. */
type Change<Options> = (
  operator: Operator,
  options: Named & Options,
) => Promise<
  readonly [
    result: Readonly<Record<string, string | number | boolean | null>>,
    position: Position | undefined,
    warning?: string | undefined,
  ]
>;

const changed =
  <Options>(change: Change<Options>) =>
  async (operator: Operator, options: Named & Options): Promise<Answer> => {
    const { account } = options;
    const [result, position, warning] = await change(operator, options);
    await operator.awaitInReads(account, position);
    const isChanged = position !== undefined;
    const said = Object.entries(result).map(([name, value]) => `${name} ${String(value ?? 'the default')}`);
    return {
      value: { account_id: account, ...result, changed: isChanged, ...(warning && { warning }) },
      lines: [`${account}: ${said.join()}${isChanged ? '' : ' already'}`, ...(warning ? [warning] : [])],
    };
  };

const setTier: Change<{ tier: Tier }> = async ({ accounts, context }, { account, tier }) => {
  const { position, isConfirmed } = await accounts.setTier(account, tier, context);
  return [{ tier }, position, isConfirmed ? keptWithoutPayments : undefined];
};

const keptWithoutPayments = 'It had this tier by its payments, and now keeps it when they end.';

const suspend: Change<{ reason: string }> = async ({ accounts, context, runner }, { account, reason }) => [
  { suspended: true },
  await accounts.suspend(account, reason, context),
  await stillCharged(runner, account),
];

/** A warning that names its subscriptions by card that renew, which a suspended account cannot cancel. */
async function stillCharged(runner: Operator['runner'], account: AccountId): Promise<string | undefined> {
  const { state } = await runner.load(subscription, uuidOf(account));
  const [first, ...others] = renewingSubscriptions(state).map(({ subscriptionId }) => subscriptionId);
  if (first === undefined) return undefined;
  return others.length === 0
    ? `Its subscription ${first} runs on and is charged: cancel it at the card processor if it should end.`
    : `Its subscriptions ${[first, ...others].join(', ')} run on and are charged: cancel those at the card processor that should end.`;
}

const unsuspend: Change<object> = async ({ accounts, context }, { account }) => [
  { suspended: false },
  await accounts.unsuspend(account, context),
];

const erase: Change<object> = async ({ erasure, context }, { account }) => [
  { erased: true },
  await erasure.erase(account, context),
];

const removeFactor: Change<object> = async ({ runner, context }, { account }) => [
  { second_factor: false },
  await removeSecondFactor({ runner, clock }, account, context),
];

const overrideConcurrency: Change<{ limit?: number }> = async (operator, { account, limit = null }) => [
  { concurrent_sessions: limit },
  await operator.accounts.overrideConcurrency(account, limit, operator.context),
];

const overrideProfiles: Change<{ limit?: number }> = async (operator, { account, limit = null }) => [
  { profiles: limit },
  await operator.accounts.overrideProfileCap(account, limit, operator.context),
];

/** The commands that raise a limit of an account, and its resources. */
const overrides = [
  ['override-concurrency', overrideConcurrency, 'concurrent sessions'],
  ['override-profiles', overrideProfiles, 'profiles'],
] as const;

const setBundledCap: Change<{ cents?: number }> = async ({ runner, context }, { account, cents = null }) => [
  { bundled_cap_cents: cents },
  await setBundledCeiling({ runner, clock }, account, cents, context),
];

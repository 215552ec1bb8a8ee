import { v5 as uuidv5 } from 'uuid';
import { monthOf } from '../contracts/calendar-month.ts';
import { uuidOf, type AccountId } from '../contracts/ids.ts';
import {
  monthlyCap,
  presentBundledLlm,
  type UpdateBundledLlmSettings,
} from '../contracts/resources/bundled-llm.ts';
import { refuse } from '../contracts/problems.ts';
import type { Static } from '../contracts/schema.ts';
import { account } from '../domain/account.ts';
import { bundledLlm, bundledSpend, type BundledSpendCommand } from '../domain/bundled-llm.ts';
import { now, ownedStep, type CommandContext } from './engine/context.ts';
import type { CommandPorts } from './engine/runner.ts';

export interface BundledLlmPorts extends CommandPorts {
  /** Default monthly cap of an account, in cents. */
  readonly defaultCapCents: number;
}

/** Changes an account's settings of the bundled model. */
export async function changeBundledLlm(
  ports: BundledLlmPorts,
  accountId: AccountId,
  body: Static<typeof UpdateBundledLlmSettings>,
  context: CommandContext,
) {
  const { runner, defaultCapCents: defaultCents } = ports;
  const { bundled_llm_consent: consent, bundled_llm_monthly_cap_usd_cents: capCents } = body;
  const changes = { consent, capCents, defaultCents, at: now(ports) };
  const command = { type: 'ChangeBundledLlm', accountId, ...changes } as const;
  const step = ownedStep(context, accountId, 'change-bundled-llm');
  const { state, position } = await runner.run(bundledLlm, uuidOf(accountId), command, step);
  return { settings: presentBundledLlm(state, defaultCents), position };
}

/**
 * Staff sets the maximum of the account's cap; null restores the default. Returns the position of the event. Throws `not-found`
 * for a missing or erased account.
 */
export async function setBundledCeiling(
  ports: CommandPorts,
  accountId: AccountId,
  ceilingCents: number | null,
  context: CommandContext,
) {
  const { state } = await ports.runner.load(account, uuidOf(accountId));
  if (state.status === 'none' || state.status === 'erased') throw refuse('not-found');
  const command = { type: 'SetBundledCeiling', accountId, ceilingCents, at: now(ports) } as const;
  const step = ownedStep(context, accountId, 'set-bundled-ceiling');
  return (await ports.runner.run(bundledLlm, uuidOf(accountId), command, step)).position;
}

/** Price of a turn on the bundled model in US cents: the service's, not the provider's. */
export const turnCents = 10;

export interface SpendingTurn {
  /** Unique among the account's turns. */
  readonly turnId: string;
  /** When the turn began, ISO 8601. It counts for that month, even if it is counted later. */
  readonly beganAt: string;
}

/**
 * Counts a turn before the bundled model is called. Refused without the account's consent and above the month's cap, which
 * concurrent turns cannot exceed together.
 */
export async function reserveSpend(
  ports: BundledLlmPorts,
  accountId: AccountId,
  turn: SpendingTurn,
  context: CommandContext,
) {
  const { state: settings } = await ports.runner.load(bundledLlm, uuidOf(accountId));
  if (!settings.consent) throw refuse('bundled-llm-consent-required', consentMissing);
  const capCents = monthlyCap(settings, ports.defaultCapCents);
  const command = { type: 'ReserveSpend', ...of(accountId, turn), cents: turnCents, capCents } as const;
  return runOnSpend(ports, accountId, turn, { ...command, at: now(ports) }, context);
}

/** Refunds a turn's spending, once, if the provider reported no use. */
export function returnSpend(
  ports: CommandPorts,
  accountId: AccountId,
  turn: SpendingTurn,
  context: CommandContext,
) {
  const command = { type: 'ReturnSpend', ...of(accountId, turn), at: now(ports) } as const;
  return runOnSpend(ports, accountId, turn, command, context);
}

const consentMissing =
  'The account has not consented to the bundled model. Consent with PATCH /v1/account/me/bundled-llm-settings, or store a model-provider key of your own.';

const of = (accountId: AccountId, { turnId, beganAt }: SpendingTurn) => ({
  accountId,
  month: monthOf(beganAt),
  turnId,
});

async function runOnSpend(
  { runner }: CommandPorts,
  accountId: AccountId,
  { turnId, beganAt }: SpendingTurn,
  command: BundledSpendCommand,
  context: CommandContext,
) {
  const step = ownedStep(context, accountId, `${command.type} ${turnId}`);
  return (await runner.run(bundledSpend, spendUuid(accountId, monthOf(beganAt)), command, step)).position;
}

/** Uuid of the stream of an account's spending in a month. */
export const spendUuid = (accountId: AccountId, month: string): string => uuidv5(month, uuidOf(accountId));

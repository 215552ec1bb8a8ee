import { v5 as uuidv5 } from 'uuid';
import { monthOf } from '../contracts/calendar-month.ts';
import { uuidOf, type AccountId } from '../contracts/ids.ts';
import { presentBundledLlm, type UpdateBundledLlmSettings } from '../contracts/resources/bundled-llm.ts';
import { refuse } from '../contracts/problems.ts';
import type { Static } from '../contracts/schema.ts';
import { account } from '../domain/account.ts';
import { bundledLlm, bundledSpend } from '../domain/bundled-llm.ts';
import type { Clock } from '../infra/platform/clock.ts';
import { now, ownedStep, type CommandContext } from './engine/context.ts';
import type { Runner } from './engine/runner.ts';

export interface BundledLlmPorts {
  readonly runner: Runner;
  readonly clock: Clock;
  /** The monthly cap of an account for which staff has set no other, in cents. */
  readonly defaultCapCents: number;
}

/** What an account sets for the bundled model. */
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

type SpendPorts = Pick<BundledLlmPorts, 'runner' | 'clock'>;

/**
 * Staff sets the most that the account may set its cap to; null: the default again. Gives the position of the event. Throws
 * `not-found` when there is no such account, or it is erased.
 */
export async function setBundledCeiling(
  ports: SpendPorts,
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

export interface TurnCost {
  /** Unique among the account's turns. */
  readonly turnId: string;
  /** When the turn began, ISO 8601: it is spending of that month, however late it is recorded. */
  readonly beganAt: string;
  readonly cents: number;
}

/** Records what a turn on the bundled model cost, once for each turn. */
export async function recordBundledSpend(
  ports: SpendPorts,
  accountId: AccountId,
  { turnId, beganAt, cents }: TurnCost,
  context: CommandContext,
) {
  const month = monthOf(beganAt);
  const command = { type: 'RecordSpend', accountId, month, turnId, cents, at: now(ports) } as const;
  const step = ownedStep(context, accountId, `record-spend ${turnId}`);
  return (await ports.runner.run(bundledSpend, spendUuid(accountId, month), command, step)).position;
}

/** Of the stream that holds an account's spending in a month. */
const spendUuid = (accountId: AccountId, month: string): string => uuidv5(month, uuidOf(accountId));

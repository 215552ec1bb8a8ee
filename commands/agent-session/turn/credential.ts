import type { TurnUsage } from '../../../contracts/events/agent-session.ts';
import { Refusal, refuse } from '../../../contracts/problems.ts';
import { reserveSpend, returnSpend, turnCents } from '../../bundled-llm.ts';
import { storedProviderKey } from '../../own-llm-key.ts';
import type { ModelUsage } from '../../../infra/model/port.ts';
import type { RunningTurn } from './running-turn.ts';

/** The credential for a turn's calls of a model. */
export interface Credential {
  readonly kind: 'own_key' | 'bundled';
  readonly apiKey: string;
}

/**
 * The key of the request, else the one that the account has stored, else the service's own, for which the turn is counted first.
 * Without one, or if the account may not use it, the turn fails.
 */
export async function credentialOf(turn: RunningTurn): Promise<Credential> {
  const { order, accountId, ports } = turn;
  const apiKey = order.ownKey ?? (await storedProviderKey(ports, accountId));
  if (apiKey !== null) return { kind: 'own_key', apiKey };
  const { bundledKey, defaultCapCents } = ports.settings;
  if (bundledKey === undefined) return turn.fail(refuse('byok-llm-required', noKey));
  try {
    await reserveSpend({ ...ports, defaultCapCents }, accountId, spendingOf(turn), turn.context('reserve'));
  } catch (error) {
    if (error instanceof Refusal) return turn.fail(error);
    throw error;
  }
  return { kind: 'bundled', apiKey: bundledKey };
}

const noKey =
  'A model is needed for this message, and there is no key of a provider. Store one by PUT /v1/account/me/byok-llm-key, or send one in x-byok-llm-api-key.';

const spendingOf = ({ order: { turnId }, session: { turn, updatedAt } }: RunningTurn) => ({
  turnId,
  beganAt: turn?.admittedAt ?? updatedAt,
});

/** Refunds the counted use if the provider reported none. */
export async function giveBackUnused(
  turn: RunningTurn,
  { kind }: Credential,
  usage: ModelUsage | null,
): Promise<void> {
  if (kind !== 'bundled' || (usage !== null && usage.inputTokens !== null)) return;
  await returnSpend(turn.ports, turn.accountId, spendingOf(turn), turn.context('return'));
}

/** A bundled turn has a fixed price, whatever the provider charges; its later rounds add nothing to it. */
export const usageOf = ({ kind }: Credential, usage: ModelUsage, round = 1): TurnUsage => ({
  ...usage,
  decomposerKind: kind,
  costCents: kind !== 'bundled' ? usage.costCents : round === 1 ? turnCents : 0,
});

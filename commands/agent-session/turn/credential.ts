import type { TurnUsage } from '../../../contracts/events/agent-session.ts';
import { Refusal, refuse } from '../../../contracts/problems.ts';
import { reserveSpend, returnSpend, turnCents } from '../../bundled-llm.ts';
import { storedProviderKey } from '../../own-llm-key.ts';
import type { ModelUsage } from '../../../infra/model/port.ts';
import type { RunningTurn } from './running-turn.ts';

/** The credential of a turn's model calls. */
export interface Credential {
  readonly kind: 'own_key' | 'bundled';
  readonly apiKey: string;
}

/**
 * The request's key, or else the account's stored key, or else the service's own, whose use is counted first. Fails the turn without a key,
 * or if the account may not use it.
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
  'This message needs a model, and there is no model-provider key. Store one with PUT /v1/account/me/byok-llm-key, or send one in x-byok-llm-api-key.';

/** The same before and after the end of the turn. */
const spendingOf = ({ order: { turnId, receivedAt } }: RunningTurn) => ({
  turnId,
  beganAt: receivedAt.toISOString(),
});

/** Refunds the counted use of the bundled model. */
export async function giveBack(turn: RunningTurn, { kind }: Credential): Promise<void> {
  if (kind === 'bundled')
    await returnSpend(turn.ports, turn.accountId, spendingOf(turn), turn.context('return'));
}

/** A bundled turn has a fixed price, whatever the provider charges; later rounds are free. */
export const usageOf = ({ kind }: Credential, usage: ModelUsage, round = 1): TurnUsage => ({
  ...usage,
  decomposerKind: kind,
  costCents: kind !== 'bundled' ? usage.costCents : round === 1 ? turnCents : 0,
});

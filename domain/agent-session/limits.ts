import { longestTurn, type TurnLimit } from '../../contracts/resources/agent-turn.ts';
import { isBefore } from '../kit/time.ts';
import type { ExistingAgentSession } from './state.ts';

/** Maximum consecutive rounds that leave the page unchanged. */
export const maxIdleRounds = 3;

/** Limits of the rounds of one turn. */
export interface RoundLimits {
  readonly rounds: number;
  /** ISO 8601; null before the first call of a model. */
  readonly deadline: string | null;
}

/** The turn's last observation of the page. */
export interface LastObservation {
  readonly at: string;
  /** Consecutive rounds, up to now, that left the page unchanged. */
  readonly idle: number;
}

/** The limit that prevents another round; null if none does. Checked before each call of a model but the first. */
export function limitReached(
  { turn, browser, tokensUsed, tokenBudget }: ExistingAgentSession,
  { rounds, deadline }: RoundLimits,
  { at, idle }: LastObservation,
): TurnLimit | null {
  if (turn === null) return null;
  const reached: readonly (readonly [TurnLimit, boolean])[] = [
    ['browser', browser?.ended !== false],
    ['rounds', turn.rounds >= rounds],
    ['intents', turn.settled >= longestTurn],
    ['deadline', deadline !== null && !isBefore(at, deadline)],
    ['tokens', tokensUsed >= tokenBudget],
    ['circles', idle >= maxIdleRounds],
  ];
  return reached.find(([, isReached]) => isReached)?.[0] ?? null;
}

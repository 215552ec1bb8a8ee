import { longestTurn, type TurnLimit } from '../../contracts/resources/agent-turn.ts';
import { isBefore } from '../kit/time.ts';
import type { ExistingAgentSession } from './state.ts';

/** Rounds in a row that may leave the page as it was. */
export const idleRounds = 3;

/** How far the rounds of one turn may go. */
export interface RoundLimits {
  readonly rounds: number;
  /** ISO 8601. */
  readonly deadline: string;
}

/** What a turn's last look came to. */
export interface Look {
  readonly at: string;
  /** Rounds in a row, up to now, that have left the page as it was. */
  readonly idle: number;
}

/** What keeps a turn from another round; null if it may have one. Asked before each call of a model but the first. */
export function limitReached(
  { turn, browser, tokensUsed, tokenBudget }: ExistingAgentSession,
  { rounds, deadline }: RoundLimits,
  { at, idle }: Look,
): TurnLimit | null {
  if (turn === null) return null;
  const reached: readonly (readonly [TurnLimit, boolean])[] = [
    ['browser', browser?.ended !== false],
    ['rounds', turn.rounds >= rounds],
    ['intents', turn.settled >= longestTurn],
    ['deadline', !isBefore(at, deadline)],
    ['tokens', tokensUsed >= tokenBudget],
    ['circles', idle >= idleRounds],
  ];
  return reached.find(([, isReached]) => isReached)?.[0] ?? null;
}

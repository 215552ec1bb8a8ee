import type { AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import type { TurnLimit } from '../../contracts/resources/agent-turn.ts';
import { byType, type ByType } from '../kit/decider.ts';
import type { Recorded } from './state.ts';

/** A turn, from its events, without texts. */
export interface TurnSummary {
  readonly turnId: string;
  readonly lane: 'ai' | 'manual';
  readonly admittedAt: string;
  readonly endedAt: string | null;
  /** Null while it runs. */
  readonly end: 'logged' | 'settled' | 'failed' | 'superseded' | 'abandoned' | null;
  /** Its outcome: the kind of answer, a problem, or the change of control that ended it. */
  readonly answer: string | null;
  readonly decomposerKind: string | null;
  readonly rounds: number;
  /** The limit that prevented another round, or the read-back; null if none did. */
  readonly limit: TurnLimit | null;
  readonly intents: number;
  readonly succeeded: number;
  readonly tokens: number;
  readonly costCents: number;
}

/** The turns of a session, oldest first. */
export function turnsOf(events: readonly AgentSessionEvent[]): readonly TurnSummary[] {
  const turns = new Map<string, TurnSummary>();
  for (const event of events) {
    if (!isOfTurn(event)) continue;
    const { turnId, at } = event.data;
    const turn = turns.get(turnId) ?? begun(turnId, at);
    turns.set(turnId, { ...turn, ...byType(additions, event, turn) });
  }
  return [...turns.values()];
}

type TurnEvent = Exclude<
  Extract<AgentSessionEvent, { readonly data: { readonly turnId: string } }>,
  { readonly type: 'MessageWithdrawn' }
>;
/** Whether the event belongs to a turn. A withdrawn message has none. */
export const isOfTurn = (event: AgentSessionEvent): event is TurnEvent =>
  event.type !== 'MessageWithdrawn' && 'turnId' in event.data;

const begun = (turnId: string, at: string): TurnSummary => ({
  turnId,
  lane: 'ai',
  admittedAt: at,
  endedAt: null,
  end: null,
  answer: null,
  decomposerKind: null,
  rounds: 0,
  limit: null,
  intents: 0,
  succeeded: 0,
  tokens: 0,
  costCents: 0,
});

const spent = (
  { tokens, costCents }: TurnSummary,
  call: Pick<Recorded<'TurnReadBack'>, 'tokens' | 'usage'>,
) => ({
  tokens: tokens + call.tokens,
  costCents: costCents + (call.usage.costCents ?? 0),
});

/** Adds an event to its turn. */
const additions: Partial<ByType<TurnEvent, Partial<TurnSummary>, [turn: TurnSummary]>> = {
  MessageLogged: ({ at }) => ({ lane: 'manual', end: 'logged', answer: 'logged-manual', endedAt: at }),
  TurnDecomposed: (data, turn) => ({
    rounds: data.round,
    intents: turn.intents + data.intents,
    decomposerKind: data.usage.decomposerKind,
    ...spent(turn, data),
  }),
  TurnReadBack: (data, turn) => spent(turn, data),
  IntentSettled: ({ outcome }, { succeeded }) => (outcome === 'success' ? { succeeded: succeeded + 1 } : {}),
  TurnSettled: ({ kind, limit, at }) => ({ end: 'settled', answer: kind, limit, endedAt: at }),
  TurnFailed: ({ problem, at }) => ({ end: 'failed', answer: problem, endedAt: at }),
  TurnSuperseded: ({ cause, at }) => ({ end: 'superseded', answer: cause, endedAt: at }),
  TurnAbandoned: ({ at }) => ({ end: 'abandoned', answer: null, endedAt: at }),
};

/** A round of a turn, from its events, without texts. */
export interface RoundSummary {
  readonly turnId: string;
  /** Counted from 1. */
  readonly round: number;
  readonly decidedAt: string;
  readonly decision: Recorded<'TurnDecomposed'>['decision'];
  readonly after: Recorded<'TurnDecomposed'>['after'];
  /** Number of intents in the plan. */
  readonly intents: number;
  readonly succeeded: number;
  /** Categories of its failures. */
  readonly failed: readonly string[];
  readonly tokens: number;
  readonly costCents: number;
}

/** The rounds of all turns of a session, oldest first. */
export function roundsOf(events: readonly AgentSessionEvent[]): readonly RoundSummary[] {
  const rounds: RoundSummary[] = [];
  for (const event of events) {
    const last = rounds.at(-1);
    if (event.type === 'TurnDecomposed') rounds.push(decided(event.data));
    else if (event.type === 'IntentSettled' && last !== undefined)
      rounds.splice(-1, 1, { ...last, ...withResult(last, event.data) });
  }
  return rounds;
}

const decided = (data: Recorded<'TurnDecomposed'>): RoundSummary => ({
  turnId: data.turnId,
  round: data.round,
  decidedAt: data.at,
  decision: data.decision,
  after: data.after,
  intents: data.intents,
  succeeded: 0,
  failed: [],
  tokens: data.tokens,
  costCents: data.usage.costCents ?? 0,
});

const withResult = (
  { succeeded, failed }: RoundSummary,
  { outcome, category }: Recorded<'IntentSettled'>,
): Partial<RoundSummary> =>
  outcome === 'success' ? { succeeded: succeeded + 1 } : { failed: [...failed, category ?? 'unknown'] };

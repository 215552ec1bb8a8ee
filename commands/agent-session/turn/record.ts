import type { HeldIntent, SealedBody, TurnResult } from '../../../contracts/events/agent-transcript.ts';
import type { TurnUsage } from '../../../contracts/events/agent-session.ts';
import { Refusal } from '../../../contracts/problems.ts';
import type { RecipeContents } from '../../../contracts/resources/recipe.ts';
import { presentAgentSession, type StoredAgentSession } from '../../../contracts/resources/agent-session.ts';
import {
  longestTurn,
  type AgentUsage,
  type IntentResult,
  type MessageAnswer,
  type ShownIntent,
  type TurnLimit,
  type TurnPhase,
} from '../../../contracts/resources/agent-turn.ts';

/** A plan as it is displayed and stored: see `shownIntent`. */
export type ShownPlan =
  | {
      readonly decision: 'plan';
      readonly intents: readonly ShownIntent[];
      readonly readBack: boolean;
      /** The saved recipe, if the plan is one. */
      readonly recipe?: RecipeContents;
    }
  | {
      readonly decision: 'clarify';
      readonly question: string;
      /** Intents that wait for an approval, if the question is about them. */
      readonly held?: readonly HeldAndShown[];
    }
  | { readonly decision: 'refuse'; readonly reason: string }
  | { readonly decision: 'answer'; readonly answer: string };

type HeldAndShown = Omit<HeldIntent, 'index'> & { readonly intent: ShownIntent };

/** A round of a turn. */
interface DecidedRound {
  readonly plan: ShownPlan;
  /** Number of intents that were carried out before it. */
  readonly from: number;
}

/** The progress of a turn. Answers derive from it, now or when they are rebuilt from the stream. */
export interface TurnRecord {
  readonly rounds: readonly DecidedRound[];
  /** Use of all decompositions. */
  readonly usage: TurnUsage | null;
  /** Tokens of all model calls. */
  readonly tokens: number;
  /** Results of all rounds. */
  readonly results: readonly IntentResult[];
  /** The read-back from the page, if it was requested. */
  readonly answer: string | null;
  readonly limit: TurnLimit | null;
  /** The result in the message's form; null if it has none. */
  readonly result: TurnResult | null;
}

export const nothingDone: TurnRecord = {
  rounds: [],
  usage: null,
  tokens: 0,
  results: [],
  answer: null,
  limit: null,
  result: null,
};

/** Progress of a turn before its first step. */
export const nothingYet = ({ resultForm }: { readonly resultForm: object | null }): TurnRecord => ({
  ...nothingDone,
  result: resultForm && { value: null, error: notFilledIn },
});

const notFilledIn = 'The message was not carried out, so no result was filled in.';

/** The progress with another decided round. */
export const withRound = (
  record: TurnRecord,
  plan: ShownPlan,
  { usage, tokens }: { readonly usage: TurnUsage; readonly tokens: number },
): TurnRecord => ({
  ...record,
  rounds: [...record.rounds, { plan, from: record.results.length }],
  usage: record.usage === null ? usage : together(record.usage, usage),
  tokens: record.tokens + tokens,
});

const together = (one: TurnUsage, other: TurnUsage): TurnUsage => ({
  ...other,
  inputTokens: sum(one.inputTokens, other.inputTokens),
  outputTokens: sum(one.outputTokens, other.outputTokens),
  costCents: sum(one.costCents, other.costCents),
});

const sum = (one: number | null, other: number | null): number | null =>
  one === null ? other : one + (other ?? 0);

export const tokensOf = ({ inputTokens, outputTokens }: Pick<TurnUsage, 'inputTokens' | 'outputTokens'>) =>
  (inputTokens ?? 0) + (outputTokens ?? 0);

/** Intents of all rounds, without those that were skipped before a further round; at the end, those that wait for an approval. */
const intentsOf = ({ rounds }: TurnRecord): ShownIntent[] =>
  rounds.flatMap(({ plan, from }, index) => {
    const end = rounds[index + 1]?.from ?? Infinity;
    if (plan.decision === 'clarify') return (plan.held ?? []).map(({ intent }) => intent);
    return plan.decision === 'plan' ? plan.intents.slice(0, end - from) : [];
  });

/** Intents that wait for an approval, by index. */
function heldOf({ rounds }: TurnRecord): readonly HeldIntent[] {
  const last = rounds.at(-1);
  const held = last?.plan.decision === 'clarify' ? (last.plan.held ?? []) : [];
  return held.map(({ intent: _, ...key }, at) => ({ index: (last?.from ?? 0) + at, ...key }));
}

const lastPlan = ({ rounds }: TurnRecord): ShownPlan | undefined => rounds.at(-1)?.plan;

type Kind = Exclude<MessageAnswer['kind'], 'logged-manual'>;

const kinds: Readonly<Record<ShownPlan['decision'], Kind>> = {
  plan: 'plan-executed',
  answer: 'plan-executed',
  clarify: 'clarify',
  refuse: 'refuse',
};
/** Kind of the answer of a settled turn. Without a plan, the budget was used up. */
export function kindOf(record: TurnRecord): Kind {
  const plan = lastPlan(record);
  if (record.results.length > 0) return 'plan-executed';
  return plan === undefined ? 'refuse' : kinds[plan.decision];
}

/** Whether the last round carried out its plan, or answered. */
export function isOk({ rounds, results, limit }: TurnRecord): boolean {
  const last = rounds.at(-1);
  if (last === undefined || limit !== null || kinds[last.plan.decision] !== 'plan-executed') return false;
  return last.plan.decision === 'answer' || results.slice(last.from).every(({ kind }) => kind === 'success');
}

const exhaustedReason =
  'The token budget of the agent session is used up, so it is closed. Create another one to continue.';

/** The 200 answer of a settled turn. Without a plan, the budget was used up. */
export function answerOf(record: TurnRecord, stored: StoredAgentSession): MessageAnswer {
  const { results, usage } = record;
  const session = presentAgentSession(stored);
  const told = { ...(usage !== null && { usage: shownUsage(usage) }), rounds: record.rounds.length };
  const plan = lastPlan(record);
  const question = plan?.decision === 'clarify' && { clarifying_question: plan.question };
  const reason = plan?.decision === 'refuse' && { refuse_reason: plan.reason };
  const result = record.result && { result: record.result.value, result_error: record.result.error };
  if (kindOf(record) === 'plan-executed') {
    const executed = { intents: intentsOf(record), results: [...results], ok: isOk(record) };
    // A failed call is recorded as a round for its tokens; the reason in its plan is not a refusal.
    const refused = record.limit === null && reason;
    return { kind: 'plan-executed', session, ...executed, ...told, ...question, ...refused, ...result };
  }
  const intents = intentsOf(record);
  const held = intents.length > 0 && { intents };
  if (question) return { kind: 'clarify', session, ...question, ...held, ...told, ...result };
  return { kind: 'refuse', session, ...(reason || { refuse_reason: exhaustedReason }), ...told, ...result };
}

/** The agent's entry for a settled turn. */
export function settledEntry(record: TurnRecord): SealedBody {
  const plan = lastPlan(record);
  const intents = intentsOf(record);
  const body = plan === undefined ? `refused: ${exhaustedReason}` : bodyOf(record, plan);
  const held = heldOf(record);
  const isCarriedOut = kindOf(record) === 'plan-executed' && intents.length > 0;
  const { result } = record;
  return {
    ...{ body, ...(isCarriedOut && { intents }) },
    ...(held.length > 0 && { held }),
    ...(result !== null && { result }),
  };
}

function bodyOf(record: TurnRecord, plan: ShownPlan): string {
  const { results, limit, answer } = record;
  switch (plan.decision) {
    case 'answer':
      return plan.answer;
    case 'refuse':
      return lines(results, limit === null ? `refused: ${plan.reason}` : halts[limit]);
    case 'clarify':
      return lines(results, `clarify: ${plan.question}`);
    case 'plan': {
      const halted = haltedBy(results, intentsOf(record).length);
      return answer ?? lines(results, limit === null ? halted : halts[limit]);
    }
  }
}

/** The end of the entry of a turn that reached a limit. */
const halts: Readonly<Record<TurnLimit, string>> = {
  browser: 'Halted: the browser has ended.',
  rounds: 'Halted: the turn has used all its rounds. Send another message to continue.',
  intents: `Halted: the turn has taken ${longestTurn} steps, the maximum. Send another message to continue.`,
  deadline: 'Halted: the turn has reached its time limit. Send another message to continue.',
  tokens: 'Halted: the token budget of the agent session is used up.',
  circles: 'Halted: the last rounds did not change the page.',
  model:
    'Halted: the model provider could not be reached for the next round. Send another message to continue.',
};

/** The agent's entry for a turn during which control changed. */
export const interruptedEntry = (record: TurnRecord): SealedBody => {
  const { results } = record;
  const planned = intentsOf(record).length;
  const of = planned > 0 ? ` after ${results.length} of ${planned} steps` : '';
  return { body: lines(results, `Halted${of}: control of the session changed.`) };
};

const mended = 'Found by its name: its selector matched nothing.';

/** A step in its turn's entry. The summary of a healed one has the recipe's selector. */
export function lineOf(result: IntentResult): string {
  if (result.kind === 'failure') return `Failed: ${result.reason}`;
  return result.healed ? `${result.summary} ${mended}` : result.summary;
}

const lines = (results: readonly IntentResult[], note: string | null): string =>
  [...results.map(lineOf), ...(note === null ? [] : [note])].join('\n');

function haltedBy(results: readonly IntentResult[], planned: number): string | null {
  const failed = results.at(-1)?.kind === 'failure';
  return failed ? `Halted on failure at step ${results.length} of ${planned}.` : null;
}

const shownUsage = (usage: TurnUsage): AgentUsage => ({
  decomposer_kind: usage.decomposerKind,
  ...(usage.model !== null && { model: usage.model }),
  ...(usage.inputTokens !== null && { provider_input_tokens: usage.inputTokens }),
  ...(usage.outputTokens !== null && { provider_output_tokens: usage.outputTokens }),
  ...(usage.costCents !== null && { cost_usd_cents: usage.costCents }),
});

/** The turn was superseded by a change of control, with the intents executed so far. */
export class TurnSuperseded extends Refusal {}

export const superseded = (
  { usage, tokens, results }: TurnRecord,
  phase: TurnPhase,
  detail = 'Control of the session changed during the turn. Completed steps are not undone.',
): TurnSuperseded =>
  new TurnSuperseded('conflict', detail, {
    ai_control_unavailable: true,
    phase,
    ...(tokens > 0 && { tokens_consumed: tokens }),
    ...(usage !== null && { usage: shownUsage(usage) }),
    ...(results.length > 0 && { partial_results: results }),
  });

/** The agent's entry for a failed turn, with the problem's own detail. */
export interface FailedEntry extends SealedBody {
  readonly detail: string;
  readonly extensions: Record<string, unknown>;
}

export const failedEntry = ({ message: detail, extensions }: Refusal): FailedEntry => ({
  body: `refused: ${detail}`,
  detail,
  extensions: { ...extensions },
});

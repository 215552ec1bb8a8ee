import type { SealedBody } from '../../../contracts/events/agent-transcript.ts';
import type { TurnUsage } from '../../../contracts/events/agent-session.ts';
import { Refusal } from '../../../contracts/problems.ts';
import type { RecipeContents } from '../../../contracts/resources/recipe.ts';
import { presentAgentSession, type StoredAgentSession } from '../../../contracts/resources/agent-session.ts';
import type {
  AgentUsage,
  IntentResult,
  MessageAnswer,
  ShownIntent,
  TurnPhase,
} from '../../../contracts/resources/agent-turn.ts';

/** A plan as it is shown and kept: see `shownIntent`. */
export type ShownPlan =
  | {
      readonly decision: 'plan';
      readonly intents: readonly ShownIntent[];
      readonly readBack: boolean;
      /** The saved recipe, if the plan is one. */
      readonly recipe?: RecipeContents;
    }
  | { readonly decision: 'clarify'; readonly question: string }
  | { readonly decision: 'refuse'; readonly reason: string }
  | { readonly decision: 'answer'; readonly answer: string };

/** The progress of a turn. Answers derive from it, now or when they are rebuilt from the stream. */
export interface TurnRecord {
  readonly plan: ShownPlan | null;
  /** Of the decomposition. */
  readonly usage: TurnUsage | null;
  /** Tokens of all calls of a model. */
  readonly tokens: number;
  readonly results: readonly IntentResult[];
  /** The read-back from the page, if it was requested. */
  readonly answer: string | null;
}

export const nothingDone: TurnRecord = { plan: null, usage: null, tokens: 0, results: [], answer: null };

export const tokensOf = ({ inputTokens, outputTokens }: Pick<TurnUsage, 'inputTokens' | 'outputTokens'>) =>
  (inputTokens ?? 0) + (outputTokens ?? 0);

type Kind = Exclude<MessageAnswer['kind'], 'logged-manual'>;

const kinds: Readonly<Record<ShownPlan['decision'], Kind>> = {
  plan: 'plan-executed',
  answer: 'plan-executed',
  clarify: 'clarify',
  refuse: 'refuse',
};
/** Of the answer to a turn that settles. Without a plan, there was no budget left to make one. */
export const kindOf = ({ plan }: TurnRecord): Kind => (plan === null ? 'refuse' : kinds[plan.decision]);

export const isOk = (record: TurnRecord): boolean =>
  kindOf(record) === 'plan-executed' && record.results.every(({ kind }) => kind === 'success');

const exhaustedReason =
  'The token budget of the agent session is used up, so it is closed. Create another one to go on.';

/** The 200 of a turn that has settled. Without a plan, there was no budget left to make one. */
export function answerOf(record: TurnRecord, stored: StoredAgentSession): MessageAnswer {
  const { plan, results, usage } = record;
  const session = presentAgentSession(stored);
  const used = usage !== null && { usage: shownUsage(usage) };
  switch (plan?.decision) {
    case undefined:
      return { kind: 'refuse', session, refuse_reason: exhaustedReason };
    case 'refuse':
      return { kind: 'refuse', session, refuse_reason: plan.reason, ...used };
    case 'clarify':
      return { kind: 'clarify', session, clarifying_question: plan.question, ...used };
    case 'answer':
      return { kind: 'plan-executed', session, intents: [], results: [], ok: true, ...used };
    case 'plan': {
      const executed = { intents: [...plan.intents], results: [...results], ok: isOk(record) };
      return { kind: 'plan-executed', session, ...executed, ...used };
    }
  }
}

/** The agent's entry for a turn that settles. */
export function settledEntry({ plan, results, answer }: TurnRecord): SealedBody {
  switch (plan?.decision) {
    case undefined:
      return { body: `refused: ${exhaustedReason}` };
    case 'refuse':
      return { body: `refused: ${plan.reason}` };
    case 'clarify':
      return { body: `clarify: ${plan.question}` };
    case 'answer':
      return { body: plan.answer };
    case 'plan': {
      const { intents } = plan;
      return { body: answer ?? lines(results, haltedBy(results, intents.length)), intents };
    }
  }
}

/** The agent's entry for a turn during which control changed. */
export const interruptedEntry = ({ plan, results }: TurnRecord): SealedBody => {
  const of = plan?.decision === 'plan' ? ` after ${results.length} of ${plan.intents.length} steps` : '';
  return { body: lines(results, `Halted${of}: control of the session changed.`) };
};

const lines = (results: readonly IntentResult[], note: string | null): string =>
  [
    ...results.map((result) => (result.kind === 'success' ? result.summary : `Failed: ${result.reason}`)),
    ...(note === null ? [] : [note]),
  ].join('\n');

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
  detail = 'Control of the session changed while the turn ran. What had been done stays done.',
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

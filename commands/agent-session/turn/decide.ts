import { sealedFields, type TurnUsage } from '../../../contracts/events/agent-session.ts';
import type { Observation } from '../../../contracts/resources/observation.ts';
import {
  longestPlan,
  longestTurn,
  type Plan,
  type TranscriptEntry,
} from '../../../contracts/resources/agent-turn.ts';
import type { Recorded } from '../../../domain/agent-session/state.ts';
import type { ModelUsage, Understood } from '../../../infra/model/port.ts';
import { now } from '../../engine/context.ts';
import { openSealed } from '../../engine/open-sealed.ts';
import { failWithout, modelUnavailable, type ModelCalls } from './ask-model.ts';
import { usageOf } from './credential.ts';
import { drainNotice } from './drain-notice.ts';
import { observe } from './observe.ts';
import { pictureOf } from './picture.ts';
import { keyOf, questionOf, type Held } from './provenance/held.ts';
import { rememberedOf, type Remembered } from './provenance/remembered.ts';
import { tokensOf, withRound, type ShownPlan } from './record.ts';
import type { RunningTurn } from './running-turn.ts';
import { shownIntent, withoutSecrets } from './secrets.ts';
import { withNamesAlone } from './without-values.ts';

/** The input of a round's decision. */
export interface Look {
  /** Counted from 1. */
  readonly round: number;
  /** The conversation before the message, oldest first. */
  readonly transcript: readonly TranscriptEntry[];
  readonly page: Observation | null;
  /** A picture of the page; null unless the model requested one, or the page has no text. */
  readonly picture: string | null;
  /** The page at the previous round; null in the first round. */
  readonly before: Observation | null;
  /** Number of rounds in a row that did not change the page. */
  readonly idle: number;
  /** The model's note to itself from the previous round. */
  readonly note: string | null;
  /** Descriptions of what else happened during the previous round. */
  readonly news: readonly string[];
}

const deterministic: TurnUsage = {
  decomposerKind: 'deterministic',
  model: null,
  inputTokens: null,
  outputTokens: null,
  costCents: null,
};

/** Records the plan of a recipe or of the grammar; without one, a question. */
export async function decideByRules(turn: RunningTurn, understood: Understood): Promise<Plan> {
  const plan = understood.covers ? planOf(understood) : clarification(understood);
  await recordPlan(turn, plan, { usage: deterministic, after: null });
  return plan;
}

const planOf = ({ intents }: Extract<Understood, { covers: true }>): Plan =>
  intents.length <= longestPlan
    ? { decision: 'plan', intents: [...intents], readBack: false }
    : {
        decision: 'refuse',
        reason: `The message asks for ${intents.length} steps. At most ${longestPlan} are carried out at once.`,
      };

const examples =
  'go to URL; tap "Text"; type "Text" into "Label"; select "Option" in "Label"; check "Label"; wait for "Text"; scroll down; take a screenshot';

function clarification({ understood, rest }: Extract<Understood, { covers: false }>): Plan {
  const so = understood.length === 0 ? '' : ` The part before it is understood: ${understood.join('; ')}.`;
  return {
    decision: 'clarify',
    question: `What does "${rest}" mean?${so} Steps can be written like these: ${examples}.`,
  };
}

export const firstLook = async (turn: RunningTurn): Promise<Look> => {
  const [before, page] = await Promise.all([recentEntries(turn), observe(turn)]);
  const picture = await pictureOf(turn, page);
  turn.provenance.begin(before, turn.ports.clock.now());
  turn.provenance.see(page);
  const transcript = before.map(({ heard: _, held: __, isProblem: ___, ...entry }): TranscriptEntry => entry);
  return { round: 1, transcript, page, picture, before: null, idle: 0, note: null, news: [] };
};

/**
 * Records the model's decision. A failure of the first round ends the turn; one of a later round prevents further rounds, and returns null.
 */
export async function askModel(turn: RunningTurn, calls: ModelCalls, look: Look): Promise<Plan | null> {
  const { ports, order, session, record: done } = turn;
  const { round, transcript, page, picture, before, note, news } = look;
  const { credential } = calls;
  const { apiKey } = credential;
  const soFar = round === 1 ? null : { results: done.results, before, note, news };
  const call = withNamesAlone(turn, {
    model: session.model,
    message: order.message,
    transcript,
    page,
    picture,
    notice: drainNotice(session, now(ports)),
    soFar,
  });
  const asked = await calls.ask(named('decompose', round), (signal) =>
    ports.model.decompose({ ...call, apiKey, signal }),
  );
  if (asked.outcome === 'answered') {
    const { usage } = asked.answer;
    turn.keepSecret(asked.answer.plan);
    const wanted = within(longestTurn - done.results.length, asked.answer.plan);
    const { plan, held } = heldBack(turn, wanted);
    const after = plan.decision === 'plan' ? (plan.after ?? 'done') : null;
    await recordPlan(turn, plan, { usage: usageOf(credential, usage, round), after, held });
    return plan;
  }
  if (asked.outcome === 'unavailable' && asked.usage !== null) await debit(turn, calls, asked.usage);
  if (round === 1) return failWithout(turn, credential, asked);
  turn.update({ limit: calls.isOverdue ? 'deadline' : 'model' });
  await turn.raise(named('decompose-failed', round), {
    ...modelUnavailable,
    severity: 'warn',
    summary: notAskedAgain,
  });
  return null;
}

/** Cuts a plan to the number of intents that the turn may still have. */
const within = (most: number, plan: Plan): Plan =>
  plan.decision === 'plan' && plan.intents.length > most
    ? { ...plan, intents: plan.intents.slice(0, most), after: 'look' }
    : plan;

/** Splits a plan into what may be carried out and what needs approval; becomes a question if the first intent needs it. */
function heldBack(turn: RunningTurn, plan: Plan): { readonly plan: Plan; readonly held: readonly Held[] } {
  if (plan.decision !== 'plan') return { plan, held: [] };
  const { intents, held } = turn.provenance.judge(plan);
  if (held.length === 0) return { plan, held };
  if (intents.length === 0) return { plan: asking(turn, held), held };
  return { plan: { ...plan, intents: [...intents], after: 'look', readBack: false }, held: [] };
}

/** A question whether the held intents should be carried out. */
export const asking = (turn: RunningTurn, held: readonly Held[]): Plan => ({
  decision: 'clarify',
  question: questionOf(held, turn.record.results.length),
});

const notAskedAgain = 'The model provider could not be asked how a turn was to go on.';

/** The name of a step that is repeated in each round. */
const named = (step: string, round: number): string => (round === 1 ? step : `${step} ${round}`);

/** Deducts use that the provider counted before a failure. */
const debit = (turn: RunningTurn, { credential }: ModelCalls, usage: ModelUsage): Promise<void> =>
  recordPlan(
    turn,
    { decision: 'refuse', reason: 'The model gave no plan.' },
    { usage: usageOf(credential, usage, turn.record.rounds.length + 1), after: null },
  );

type Decided = Pick<Recorded<'TurnDecomposed'>, 'usage' | 'after'> & {
  /** The intents that the plan, a question, is about. */
  readonly held?: readonly Held[];
};

export async function recordPlan(
  turn: RunningTurn,
  plan: Plan,
  { usage, after, held = [] }: Decided,
): Promise<void> {
  turn.keepSecret(plan);
  const shown = withHeld(turn, held, withRecipe(turn, shownPlan(plan, turn)));
  const tokens = tokensOf(usage);
  turn.update(withRound(turn.record, shown, { usage, tokens }));
  const round = turn.record.rounds.length;
  await turn.step(named('decompose', round), {
    type: 'RecordDecomposition',
    round,
    decision: plan.decision,
    intents: plan.decision === 'plan' ? plan.intents.length : 0,
    after,
    sealedPlan: await turn.seal(sealedFields.plan(turn.order.turnId, round), shown),
    usage,
    tokens,
  });
}

const withRecipe = ({ order: { recipe } }: RunningTurn, plan: ShownPlan): ShownPlan =>
  recipe === null || plan.decision !== 'plan' ? plan : { ...plan, recipe: recipe.contents };

function withHeld({ secrets }: RunningTurn, held: readonly Held[], plan: ShownPlan): ShownPlan {
  if (held.length === 0 || plan.decision !== 'clarify') return plan;
  const shown = held.map((each) => ({ ...keyOf(each), intent: shownIntent(each.intent, secrets) }));
  return { ...plan, held: shown };
}

function shownPlan(plan: Plan, { secrets, order }: RunningTurn): ShownPlan {
  switch (plan.decision) {
    case 'plan': {
      const { decision, intents, readBack } = plan;
      return {
        decision,
        intents: intents.map((intent) => shownIntent(intent, secrets, order.variables)),
        readBack,
      };
    }
    case 'clarify':
      return { decision: plan.decision, question: withoutSecrets(plan.question, secrets) };
    case 'refuse':
      return { decision: plan.decision, reason: withoutSecrets(plan.reason, secrets) };
    case 'answer':
      return { decision: plan.decision, answer: withoutSecrets(plan.answer, secrets) };
  }
}

/** The entries before the message, oldest first. */
async function recentEntries(turn: RunningTurn): Promise<readonly Remembered[]> {
  const { ports, order, accountId, revision } = turn;
  const open = (field: string, sealed: string) => openSealed(ports.vault, accountId, field, sealed);
  const events = await ports.recentEntries.upTo(order.found.id, revision);
  const entries = await Promise.all(events.map((event) => rememberedOf(event, open)));
  return entries.filter((entry) => entry !== null);
}

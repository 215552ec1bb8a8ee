import { sealedFields, type TurnUsage } from '../../../contracts/events/agent-session.ts';
import { entryOf } from '../../../contracts/events/agent-transcript.ts';
import type { Observation } from '../../../contracts/resources/observation.ts';
import { longestPlan, type Plan, type TranscriptEntry } from '../../../contracts/resources/agent-turn.ts';
import type { ExistingAgentSession } from '../../../domain/agent-session/state.ts';
import type { ModelUsage, Understood } from '../../../infra/model/port.ts';
import { opened } from '../../engine/opened.ts';
import { askBrowser } from '../browser.ts';
import { ModelCalls, failWithout } from './ask-model.ts';
import { credentialOf, giveBackUnused, usageOf } from './credential.ts';
import type { TurnPorts } from './ports.ts';
import { tokensOf, type ShownPlan } from './record.ts';
import type { RunningTurn } from './running-turn.ts';
import { shownIntent, withoutSecrets } from './secrets.ts';

export interface Decided {
  readonly plan: Plan;
  /** Null if no model was called. */
  readonly calls: ModelCalls | null;
}

const deterministic: TurnUsage = {
  decomposerKind: 'deterministic',
  model: null,
  inputTokens: null,
  outputTokens: null,
  costCents: null,
};

/** Decomposes the message into a plan, by the grammar if it covers it, and records the plan. A failure ends the turn. */
export async function decide(turn: RunningTurn, understood: Understood): Promise<Decided> {
  if (!understood.covers && turn.ports.settings.decomposer !== 'deterministic') return askModel(turn);
  const plan = understood.covers ? planOf(understood) : clarification(understood);
  await record(turn, plan, deterministic);
  return { plan, calls: null };
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
  const so = understood.length === 0 ? '' : ` What comes before it is understood: ${understood.join('; ')}.`;
  return {
    decision: 'clarify',
    question: `What does "${rest}" mean?${so} Steps can be put like these: ${examples}.`,
  };
}

async function askModel(turn: RunningTurn): Promise<Decided> {
  const { ports, order } = turn;
  const calls = new ModelCalls(turn, await credentialOf(turn));
  const [transcript, page] = await Promise.all([recentEntries(turn), observe(turn)]);
  const call = { model: turn.session.model, message: order.message, transcript, page };
  const { credential } = calls;
  const { apiKey } = credential;
  const asked = await calls.ask('decompose', (signal) => ports.model.decompose({ ...call, apiKey, signal }));
  if (asked.outcome === 'answered') {
    const { plan, usage } = asked.answer;
    await giveBackUnused(turn, credential, usage);
    await record(turn, plan, usageOf(credential, usage));
    return { plan, calls };
  }
  if (asked.outcome === 'unavailable' && asked.usage !== null) await debit(turn, calls, asked.usage);
  return failWithout(turn, credential, asked);
}

/** Use counted by the provider before a failure is deducted from the budget like any other. */
const debit = (turn: RunningTurn, { credential }: ModelCalls, usage: ModelUsage): Promise<void> =>
  record(turn, { decision: 'refuse', reason: 'The model gave no plan.' }, usageOf(credential, usage));

async function record(turn: RunningTurn, plan: Plan, usage: TurnUsage): Promise<void> {
  turn.keepSecret(plan);
  const shown = withRecipe(turn, shownPlan(plan, turn.secrets));
  const tokens = tokensOf(usage);
  turn.update({ plan: shown, usage, tokens });
  await turn.step('decompose', {
    type: 'RecordDecomposition',
    decision: plan.decision,
    intents: plan.decision === 'plan' ? plan.intents.length : 0,
    sealedPlan: await turn.seal(sealedFields.plan(turn.order.turnId), shown),
    usage,
    tokens,
  });
}

const withRecipe = ({ order: { recipe } }: RunningTurn, plan: ShownPlan): ShownPlan =>
  recipe === null || plan.decision !== 'plan' ? plan : { ...plan, recipe: recipe.contents };

function shownPlan(plan: Plan, secrets: readonly string[]): ShownPlan {
  switch (plan.decision) {
    case 'plan': {
      const { decision, intents, readBack } = plan;
      return { decision, intents: intents.map((intent) => shownIntent(intent, secrets)), readBack };
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
async function recentEntries(turn: RunningTurn): Promise<readonly TranscriptEntry[]> {
  const { ports, order, accountId, revision } = turn;
  const open = (field: string, sealed: string) => opened(ports.vault, accountId, field, sealed);
  const events = await ports.recentEntries.upTo(order.found.id, revision);
  const entries = await Promise.all(events.map((event) => entryOf(event, open)));
  return entries.flatMap((entry) => (entry === null ? [] : [entry.entry]));
}

/** The observation of the page; undefined without a browser that answers. */
export async function observe({
  ports,
  session,
}: {
  readonly ports: Pick<TurnPorts, 'runner' | 'fleet'>;
  readonly session: ExistingAgentSession;
}): Promise<Observation | null> {
  const answer = await askBrowser(ports, session, 'observe', null);
  return answer.status === 'ok' ? answer.result : null;
}

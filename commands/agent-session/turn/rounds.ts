import type { OperationResult } from '../../../contracts/fleet/operations.ts';
import type { Intent, Plan, TurnLimit } from '../../../contracts/resources/agent-turn.ts';
import { limitReached } from '../../../domain/agent-session/limits.ts';
import type { Understood } from '../../../infra/model/port.ts';
import { now } from '../../engine/context.ts';
import { withModel, type ModelCalls } from './ask-model.ts';
import { carryOut, type CarriedOut } from './carry-out.ts';
import { askModel, decideByRules, firstLook, type Look } from './decide.ts';
import { FailedActs } from './failed-acts.ts';
import { fillIn } from './fill-in.ts';
import { asksAboutHeld } from './hold.ts';
import { isSamePage, observe, selectorOf } from './observe.ts';
import { pictureOf } from './picture.ts';
import { readBack } from './read-back.ts';
import type { RunningTurn } from './running-turn.ts';
import { withoutSecrets } from './secrets.ts';

type Planned = Extract<Plan, { decision: 'plan' }>;

/** A round of a model: its look and its plan. What it knows of earlier rounds is kept in this process only. */
interface Round {
  readonly look: Look;
  readonly plan: Planned;
  /** Failed acts of all rounds of the turn. */
  readonly failed: FailedActs;
  /** Events beside its intents; appended while they are carried out. */
  readonly news: string[];
}

/**
 * Runs a turn's rounds: look at the page, decide, carry out. A recipe and the grammar have one round. A model has another if its plan
 * requires it, or after a failure or an interruption, until it is done or a limit is reached.
 */
export async function runRounds(turn: RunningTurn, understood: Understood): Promise<void> {
  const { decomposer } = turn.ports.settings;
  if (understood.covers || decomposer === 'deterministic') return byRules(turn, understood);
  return withModel(turn, (calls) => byModel(turn, calls));
}

async function byModel(turn: RunningTurn, calls: ModelCalls): Promise<void> {
  const failed = new FailedActs((target) => selectorOf(turn, target));
  let look: Look | null = await firstLook(turn);
  let note: string | null = null;
  while (look !== null) {
    const plan: Plan | null = await askModel(turn, calls, look);
    note = (plan?.decision === 'plan' ? plan.note : null) ?? look.note;
    if (plan?.decision !== 'plan') break;
    const round: Round = { look, plan, failed, news: [] };
    if (!(await isToLookAgain(turn, calls, round))) break;
    look = await lookAgain(turn, calls, round);
  }
  await fillIn(turn, calls, { note, isFirst: false });
}

/** The only round of a recipe or the grammar. A model may be called for the result; its key is then required from the start. */
async function byRules(turn: RunningTurn, understood: Understood): Promise<void> {
  const { resultForm } = turn.order;
  const asksModel = resultForm !== null && turn.ports.settings.decomposer !== 'deterministic';
  const endsTurn = (carriedOut: CarriedOut) => resultForm === null || carriedOut !== 'done';
  const work = async (calls: ModelCalls | null) => {
    const plan = await decideByRules(turn, understood);
    if (plan.decision === 'plan') await carryOut(turn, plan.intents, { endsTurn });
    await fillIn(turn, calls, { note: null, isFirst: true });
  };
  return asksModel ? withModel(turn, work) : work(null);
}

/** Carries out a model's plan; false if nothing is left to do for the message. */
async function isToLookAgain(turn: RunningTurn, calls: ModelCalls, round: Round): Promise<boolean> {
  const { plan, look, failed, news } = round;
  const goesOn = plan.after === 'look';
  // Filling in the result reads the page.
  const { resultForm } = turn.order;
  const isRead = plan.readBack || resultForm !== null;
  const carriedOut = await carryOut(turn, plan.intents, {
    endsTurn: (outcome) => outcome === 'lost' || (outcome === 'done' && !goesOn && !isRead),
    refuses: async (intent) =>
      (await failed.isRepeated(intent, look.page, () => observe(turn))) ? notRepeated : null,
    isInterrupted: (result, intent) => {
      const happened = newsOf(result, intent);
      news.push(...happened);
      return happened.length > 0;
    },
    isOverdue: () => calls.isOverdue,
  });
  if (await asksAboutHeld(turn, carriedOut, lastOf(turn, plan))) return false;
  const limit = limitsReached[carriedOut];
  if (limit !== undefined && turn.isUnderWay) turn.update({ limit });
  if (carriedOut === 'done' && !goesOn && plan.readBack && resultForm === null) await readBack(turn, calls);
  return carriedOut === 'failed' || carriedOut === 'interrupted' || (carriedOut === 'done' && goesOn);
}

const limitsReached: Partial<Record<CarriedOut, TurnLimit>> = { lost: 'browser', overdue: 'deadline' };

const notRepeated =
  'Not repeated: this step failed before and may have taken effect all the same, and the page has not changed since.';

/** Descriptions for a model of dialogs, downloads, and a change of tab that the step did not ask for. */
function newsOf(result: unknown, intent: Intent): readonly string[] {
  // Absent in results of operations that have none.
  const { dialogs = [], downloads = [], tab_id } = result as Partial<OperationResult<'interact'>>;
  return [
    ...dialogs.map(
      ({ type, message, accepted }) =>
        `A dialog (${type}) said "${message}" and was ${accepted ? 'accepted' : 'dismissed'}.`,
    ),
    ...downloads.map(({ name, state }) => `The file "${name}" was given to download (${state}).`),
    ...(tab_id === undefined || isOfTabs(intent) ? [] : ['Another tab has come to the front.']),
  ];
}

const isOfTabs = (intent: Intent): boolean =>
  intent.kind === 'interact' && ['close_tab', 'activate_tab'].includes(intent.action.kind);

/** The last intent of a plan that was carried out. */
const lastOf = ({ record: { results, rounds } }: RunningTurn, { intents }: Planned): Intent | undefined =>
  intents[results.length - (rounds.at(-1)?.from ?? 0) - 1];

/** The look for the next round; null if a limit prevents it. */
async function lookAgain(
  turn: RunningTurn,
  { deadline }: ModelCalls,
  { look: before, plan, failed, news }: Round,
): Promise<Look | null> {
  const page = await observe(turn);
  const last = turn.record.results.at(-1);
  const intent = lastOf(turn, plan);
  if (last?.kind === 'failure' && !last.diagnosis.retryable && intent !== undefined)
    await failed.remember(intent, before.page);
  failed.see(page);
  turn.provenance.see(page, news);
  const idle = isSamePage(page, before.page) ? before.idle + 1 : 0;
  await turn.proceed(`round ${before.round + 1}`);
  const limits = { rounds: turn.ports.settings.rounds, deadline };
  const limit = limitReached(turn.session, limits, { at: now(turn.ports), idle });
  turn.update({ limit });
  if (limit !== null) return null;
  return {
    ...{ round: before.round + 1, transcript: before.transcript, page, before: before.page, idle },
    picture: await pictureOf(turn, page, plan.picture),
    note: plan.note ?? null,
    news: news.map((each) => withoutSecrets(each, turn.secrets)),
  };
}

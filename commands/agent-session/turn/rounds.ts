import type { Plan } from '../../../contracts/resources/agent-turn.ts';
import { limitReached } from '../../../domain/agent-session/limits.ts';
import type { Understood } from '../../../infra/model/port.ts';
import { now } from '../../engine/context.ts';
import { ModelCalls } from './ask-model.ts';
import { carryOut } from './carry-out.ts';
import { credentialOf } from './credential.ts';
import { askModel, decideByRules, firstLook, type Look } from './decide.ts';
import { isSamePage, observe } from './observe.ts';
import { readBack } from './read-back.ts';
import type { RunningTurn } from './running-turn.ts';

type Planned = Extract<Plan, { decision: 'plan' }>;

/**
 * Runs a turn's rounds: look at the page, decide, carry out. A recipe and the grammar have one. A model has another one where its plan
 * says so, or an intent failed, until it is done or a limit is reached. What one round knows of another is kept in this process alone.
 */
export async function runRounds(turn: RunningTurn, understood: Understood): Promise<void> {
  if (understood.covers || turn.ports.settings.decomposer === 'deterministic') {
    const plan = await decideByRules(turn, understood);
    if (plan.decision === 'plan') await carryOut(turn, plan.intents, () => true);
    return;
  }
  const calls = new ModelCalls(turn, await credentialOf(turn));
  let look: Look | null = await firstLook(turn);
  while (look !== null) {
    const plan: Plan | null = await askModel(turn, calls, look);
    if (plan?.decision !== 'plan' || !(await isToLookAgain(turn, calls, plan))) return;
    look = await lookAgain(turn, calls, look, plan);
  }
}

/** Carries out a model's plan; false where nothing is left to be done for the message. */
async function isToLookAgain(turn: RunningTurn, calls: ModelCalls, plan: Planned): Promise<boolean> {
  const goesOn = plan.after === 'look';
  const carriedOut = await carryOut(
    turn,
    plan.intents,
    (outcome) => outcome === 'lost' || (outcome === 'done' && !goesOn && !plan.readBack),
  );
  if (carriedOut === 'lost' && turn.isUnderWay) turn.update({ limit: 'browser' });
  if (carriedOut === 'done' && !goesOn && plan.readBack) await readBack(turn, calls);
  return carriedOut === 'failed' || (carriedOut === 'done' && goesOn);
}

/** The look before the next round; null if a limit keeps the turn from having one. */
async function lookAgain(
  turn: RunningTurn,
  { deadline }: ModelCalls,
  before: Look,
  { note }: Planned,
): Promise<Look | null> {
  const page = await observe(turn);
  const idle = isSamePage(page, before.page) ? before.idle + 1 : 0;
  await turn.proceed(`round ${before.round + 1}`);
  const { rounds } = turn.ports.settings;
  const limit = limitReached(turn.session, { rounds, deadline }, { at: now(turn.ports), idle });
  turn.update({ limit });
  return limit === null
    ? { ...before, round: before.round + 1, page, before: before.page, idle, note: note ?? null }
    : null;
}

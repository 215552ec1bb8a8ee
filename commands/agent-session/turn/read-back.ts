import type { Failure } from '../../../domain/agent-session/commands.ts';
import type { ModelUsage } from '../../../infra/model/port.ts';
import { modelUnavailable, usageIn, type ModelCalls } from './ask-model.ts';
import { usageOf } from './credential.ts';
import { observe } from './observe.ts';
import { pictureOf } from './picture.ts';
import { tokensOf } from './record.ts';
import type { RunningTurn } from './running-turn.ts';
import { withoutSecrets } from './secrets.ts';
import { withNamesAlone } from './without-values.ts';

/**
 * Answers the message from the page after the plan, unless the token budget is used up. If no model answers, the executed intents are the
 * answer.
 */
export async function readBack(turn: RunningTurn, calls: ModelCalls): Promise<void> {
  const { ports, order, session } = turn;
  if (session.tokensUsed >= session.tokenBudget) return turn.update({ limit: 'tokens' });
  const page = await observe(turn);
  // The answer may quote it: later turns must know whose words those are.
  turn.provenance.see(page);
  const call = withNamesAlone(turn, {
    ...{ model: session.model, message: order.message, transcript: [] },
    ...{ page, picture: await pictureOf(turn, page) },
  });
  const { apiKey } = calls.credential;
  const asked = await calls.ask('read-back', (signal) => ports.model.readBack({ ...call, apiKey, signal }));
  if (asked.outcome === 'answered')
    turn.update({ answer: withoutSecrets(asked.answer.answer, turn.secrets) });
  await recordUse(turn, calls, { name: 'read-back', usage: usageIn(asked), isFirst: false });
  if (asked.outcome !== 'answered') await turn.raise('read-back-failed', pageNotRead);
}

interface Use {
  /** Of the step. */
  readonly name: string;
  /** Null if unknown: nothing is recorded. */
  readonly usage: ModelUsage | null;
  /** Whether this is the turn's first call. */
  readonly isFirst: boolean;
}

/** Records the use of the call after the last plan, also of a failed one; a bundled turn is charged for its first call only. */
export async function recordUse(
  turn: RunningTurn,
  { credential }: ModelCalls,
  { name, usage, isFirst }: Use,
): Promise<void> {
  if (usage === null) return;
  const tokens = tokensOf(usage);
  turn.update({ tokens: turn.record.tokens + tokens });
  await turn.step(name, {
    type: 'RecordReadBack',
    usage: usageOf(credential, usage, isFirst ? 1 : 2),
    tokens,
  });
}

const pageNotRead: Failure = {
  ...modelUnavailable,
  code: 'read_back_failed',
  severity: 'warn',
  summary: 'The steps were carried out, but the model provider did not read the page back.',
};

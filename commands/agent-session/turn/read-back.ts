import type { Failure } from '../../../domain/agent-session/commands.ts';
import { modelUnavailable, type ModelCalls } from './ask-model.ts';
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
  const { credential } = calls;
  const page = await observe(turn);
  const call = withNamesAlone(turn, {
    ...{ model: session.model, message: order.message, transcript: [] },
    ...{ page, picture: await pictureOf(turn, page) },
  });
  const { apiKey } = credential;
  const asked = await calls.ask('read-back', (signal) => ports.model.readBack({ ...call, apiKey, signal }));
  if (asked.outcome !== 'answered') return turn.raise('read-back-failed', pageNotRead);
  const { answer, usage } = asked.answer;
  const tokens = tokensOf(usage);
  turn.update({ answer: withoutSecrets(answer, turn.secrets), tokens: turn.record.tokens + tokens });
  await turn.step('read-back', {
    type: 'RecordReadBack',
    usage: usageOf(credential, usage, turn.record.rounds.length + 1),
    tokens,
  });
}

const pageNotRead: Failure = {
  ...modelUnavailable,
  code: 'read_back_failed',
  severity: 'warn',
  summary: 'The steps were carried out, but the model provider did not read the page back.',
};

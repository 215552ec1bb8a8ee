import type { Failure } from '../../../domain/agent-session/commands.ts';
import { modelUnavailable, usageIn, type ModelCalls } from './ask-model.ts';
import type { Look } from './decide.ts';
import { observe } from './observe.ts';
import { pictureOf } from './picture.ts';
import { recordUse } from './read-back.ts';
import { isOk } from './record.ts';
import type { RunningTurn } from './running-turn.ts';
import { hidden, withoutSecrets } from './secrets.ts';
import { withNamesAlone } from './without-values.ts';

type Filled = Awaited<ReturnType<RunningTurn['ports']['model']['fillIn']>>;

/** The input, beside the page, of a model that fills in a form. */
export type Known = Pick<Look, 'note'>;

/**
 * Fills in the form of the message, if it has one and was carried out. `calls`: null if no model may be called; `isFirst`: whether this is
 * the turn's first call.
 */
export async function fillIn(
  turn: RunningTurn,
  calls: ModelCalls | null,
  { note, isFirst }: Known & { readonly isFirst: boolean },
): Promise<void> {
  const why = reasonNot(turn, calls);
  if (why === null && calls !== null) return ask(turn, calls, { note, isFirst });
  if (why !== null && why !== notDone) tell(turn, why);
}

const notDone = 'The message was not done.';

/** Why the form stays empty; null if it should be filled in. */
function reasonNot(turn: RunningTurn, calls: ModelCalls | null): string | null {
  const { order, record, session } = turn;
  if (order.resultForm === null || !turn.isUnderWay || !isOk(record)) return notDone;
  if (calls === null)
    return 'This deployment uses no model (DECOMPOSER=deterministic), so no result was filled in.';
  if (session.tokensUsed >= session.tokenBudget)
    return 'The token budget of the agent session is used up, so no result was filled in.';
  return calls.isOverdue ? 'The turn has reached its time limit, so no result was filled in.' : null;
}

const tell = (turn: RunningTurn, error: string): void => turn.update({ result: { value: null, error } });

async function ask(
  turn: RunningTurn,
  calls: ModelCalls,
  { note, isFirst }: Known & { readonly isFirst: boolean },
): Promise<void> {
  const { ports, order, session, record } = turn;
  const { resultForm } = order;
  if (resultForm === null) return;
  const { apiKey } = calls.credential;
  const page = await observe(turn);
  const call = withNamesAlone(turn, {
    ...{
      model: session.model,
      message: order.message,
      transcript: [],
      page,
      picture: await pictureOf(turn, page),
    },
    soFar: { results: record.results, before: null, note: noteOf(turn, note), news: [] },
  });
  const asked = await calls.ask('result', (signal) =>
    ports.model.fillIn({ ...call, apiKey, signal }, resultForm),
  );
  if (asked.outcome === 'answered') keep(turn, asked.answer);
  else tell(turn, 'The model provider could not be asked to fill in the result.');
  await recordUse(turn, calls, { name: 'result', usage: usageIn(asked), isFirst });
  if (asked.outcome !== 'answered') await turn.raise('result-failed', resultFailed);
}

/** The model's note to itself, and its answer to the user. */
function noteOf({ record }: RunningTurn, note: string | null): string | null {
  const plan = record.rounds.at(-1)?.plan;
  const said = [note, plan?.decision === 'answer' ? plan.answer : null].filter((each) => each !== null);
  return said.length === 0 ? null : said.join('\n');
}

function keep(turn: RunningTurn, filled: Filled): void {
  const { resultForm } = turn.order;
  if ('fault' in filled)
    return tell(turn, `The model gave no result that matches the schema: ${hide(turn, filled.fault)}`);
  const value = withoutSecretsIn(turn, filled.result);
  const fault = resultForm?.faultOf(value) ?? null;
  if (fault !== null)
    tell(turn, `The result does not match the schema once secrets are removed from it: ${hide(turn, fault)}`);
  else turn.update({ result: { value, error: null } });
}

const hide = ({ secrets }: RunningTurn, text: string): string => withoutSecrets(text, secrets);

/** A number whose digits are a secret becomes a text, so that the schema decides whether the result still matches. */
function withoutSecretsIn(turn: RunningTurn, value: unknown): unknown {
  if (typeof value === 'string') return hide(turn, value);
  if (typeof value === 'number') return hide(turn, String(value)) === String(value) ? value : hidden;
  if (Array.isArray(value)) return value.map((each) => withoutSecretsIn(turn, each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [hide(turn, key), withoutSecretsIn(turn, each)]),
  );
}

const resultFailed: Failure = {
  ...modelUnavailable,
  code: 'result_failed',
  severity: 'warn',
  summary: 'The message was done, but the model provider did not fill in its result.',
};

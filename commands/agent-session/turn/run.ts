import { Refusal, refuse } from '../../../contracts/problems.ts';
import { EventStoreUnavailable } from '../../../infra/event-store/client/types.ts';
import type { Failure } from '../../../domain/agent-session/commands.ts';
import { isPostgresOutage } from '../../../infra/postgres/outage.ts';
import { heartbeatKey } from '../ports.ts';
import type { Admitted, Answered } from './admit.ts';
import { answerOf, TurnSuperseded } from './record.ts';
import { runRounds } from './rounds.ts';
import type { RunningTurn } from './running-turn.ts';

/**
 * Runs an admitted turn and returns its answer. Throws the `Refusal` in which the turn ended.
 *
 * If the process dies, the turn is abandoned when its lease expires, and never resumed, because it is unknown whether its last step took
 * effect. Everything before that step is in the stream.
 */
export async function run(admitted: Admitted): Promise<Answered> {
  if ('body' in admitted) return admitted;
  const { turn } = admitted;
  const beat = beating(turn);
  try {
    return await through(admitted);
  } catch (error) {
    if (isEndOf(turn, error)) throw error;
    // Without the store the turn's end is unknown, but nothing was done.
    if (isAnswer(error) && !turn.hasDispatched) throw error;
    const about = { err: error, agent_session: turn.order.found.id, turn: turn.order.turnId };
    turn.ports.logger.error(about, ofOurs.summary);
    if (turn.hasDispatched) throw stepsDone(error);
    const [refusal, failure] = isPostgresOutage(error) ? away(turn) : fault();
    return await turn.fail(refusal, failure);
  } finally {
    clearInterval(beat);
  }
}

const isAnswer = (error: unknown): boolean =>
  error instanceof Refusal || error instanceof EventStoreUnavailable;

/** Whether it is the refusal in which the turn has ended, so that its end is in the stream. */
const isEndOf = (turn: RunningTurn, error: unknown): error is Refusal =>
  error instanceof TurnSuperseded || (error instanceof Refusal && !turn.isUnderWay);

type Ending = readonly [refusal: Refusal, failure: Failure];

/** The answer during an outage of Postgres. Retryable only if no browser was called. */
const away = ({ session }: RunningTurn): Ending => [
  refuse('feature-unavailable', 'A store of the service is not available, so the turn was ended.', {
    retry_after_seconds: 2,
  }),
  {
    ...ofOurs,
    code: 'store_unavailable',
    summary: 'A turn was ended because a store of the service was not available.',
    retryable: session.turn?.phase !== 'executing',
  },
];

const fault = (): Ending => [refuse('internal', ofOurs.summary), ofOurs];

/**
 * The answer if steps were done, or may have been, without an invitation to send the message again, which would repeat them. The turn
 * itself is abandoned when its lease ends.
 */
function stepsDone(cause: unknown): Refusal {
  return Object.assign(
    refuse(isAnswer(cause) || isPostgresOutage(cause) ? 'feature-unavailable' : 'internal', afterSteps),
    { cause },
  );
}

const afterSteps =
  'The turn failed after it had done steps. They are neither undone nor repeated. Check the page, then send what remains to be done.';

const ofOurs: Failure = {
  code: 'internal',
  severity: 'error',
  summary: 'A turn failed because of an internal error.',
  detail: null,
  customerActionable: false,
  retryable: false,
};

/** Records heartbeats, so that other processes do not abandon the turn. */
function beating({ ports, order: { turnId } }: RunningTurn): NodeJS.Timeout {
  const { heartbeats, settings } = ports;
  const beat = () => heartbeats.record(heartbeatKey.turn(turnId));
  return setInterval(beat, settings.turnLeaseMs / 3).unref();
}

async function through({ turn, understood }: Exclude<Admitted, Answered>): Promise<Answered> {
  await runRounds(turn, understood);
  if (turn.isUnderWay) await turn.step('settle', { type: 'SettleTurn', ...(await turn.settlement()) });
  return { body: answerOf(turn.record, turn.session), position: turn.position };
}

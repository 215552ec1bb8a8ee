import { Refusal, refuse } from '../../../contracts/problems.ts';
import { EventStoreUnavailable } from '../../../infra/event-store/client/types.ts';
import type { Failure } from '../../../domain/agent-session/commands.ts';
import { isPostgresOutage } from '../../../infra/postgres/outage.ts';
import { heartbeatKey } from '../ports.ts';
import type { Admitted, Answered } from './admit.ts';
import { answerOf } from './record.ts';
import { runRounds } from './rounds.ts';
import type { RunningTurn } from './running-turn.ts';

/**
 * Runs an admitted turn to its answer. Refuses with the problem that the turn ended in.
 *
 * Killed at any point, the turn has no end until its lease is over, and is given up then: whether its last step took effect is not
 * known, and it is never taken again. Everything before that step is in the stream.
 */
export async function run(admitted: Admitted): Promise<Answered> {
  if ('body' in admitted) return admitted;
  const { turn } = admitted;
  const beat = beating(turn);
  try {
    return await through(admitted);
  } catch (error) {
    // If the store is unavailable the turn's end is unknown; any other end is on the stream.
    if (error instanceof Refusal || error instanceof EventStoreUnavailable) throw error;
    const about = { err: error, agent_session: turn.order.found.id, turn: turn.order.turnId };
    turn.ports.logger.error(about, ofOurs.summary);
    if (turn.record.results.length > 0) throw error;
    const [refusal, failure] = isPostgresOutage(error) ? away(turn) : fault();
    return await turn.fail(refusal, failure);
  } finally {
    clearInterval(beat);
  }
}

type Ending = readonly [refusal: Refusal, failure: Failure];

/** As any other request is answered while Postgres is away. Once a browser may have been asked, another try is not ours to advise. */
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

const ofOurs: Failure = {
  code: 'internal',
  severity: 'error',
  summary: 'A turn failed because of an internal error.',
  detail: null,
  customerActionable: false,
  retryable: false,
};

/** Others can tell that the turn is not lost. */
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

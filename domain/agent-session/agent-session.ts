import { agentSessionEvents, type AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import { decideBy, type Decider } from '../kit/decider.ts';
import type { AgentSessionCommand } from './commands.ts';
import { linkRules } from './links.ts';
import { pairRules } from './pair-mode.ts';
import { evolve, type AgentSession } from './state.ts';
import { controlRules } from './control.ts';
import { turnRules } from './turn.ts';

/**
 * A conversation about a browser: its turns, their intents, and who controls the browser.
 *
 * | status         | event                | next   |
 * |----------------|----------------------|--------|
 * | none           | AgentSessionCreated  | active |
 * | active         | AgentSessionPaused   | paused |
 * | paused         | AgentSessionResumed  | active |
 * | active, paused | AgentSessionClosed   | closed |
 *
 * One turn at a time, from `TurnAdmitted` to exactly one of `TurnSettled`, `TurnFailed`, `TurnSuperseded` and `TurnAbandoned`:
 *
 * | phase       | event            | next                                                                  |
 * |-------------|------------------|-----------------------------------------------------------------------|
 * | none        | TurnAdmitted     | decomposing                                                           |
 * | decomposing | TurnDecomposed   | executing, or settling when there is no intent                        |
 * | executing   | IntentSettled    | executing; after the last of the round decomposing the next, or settling |
 *
 * - A round is one plan and its intents. Another one follows if the plan says so, or if an intent failed and the model may be called
 *   again, within `limits.ts`.
 * - Each change of control (takeover, handback, mode, pause, close) raises the epoch. A turn of an older epoch records the step that
 *   was under way, and ends superseded in the same append.
 * - A takeover or handback that finds a turn is queued, and promoted in the append that ends the turn.
 * - A withdrawn message is never admitted, however late its request continues.
 * - A message that is sent to a model gets its entry only once the model has marked its secret words, or the turn has ended,
 *   so that no secret is stored before it is masked.
 * - Tokens are taken from the budget once for each call of a model, whatever the turn's outcome.
 * - A drain of the browser's node is recorded once, and once more if only later it is known when the node stops. It ends nothing.
 * - In manual mode, each change of the person who touches the browser is recorded, and the first one after each change of control.
 * - Entries of the transcript are numbered without a gap.
 */
export const agentSession: Decider<AgentSession, AgentSessionCommand, AgentSessionEvent> = {
  category: agentSessionEvents,
  initialState: { status: 'none' },
  decide: decideBy({ ...controlRules, ...turnRules, ...pairRules, ...linkRules }),
  evolve,
  snapshotEvery: 200,
  stateVersion: 8,
};

import { isKnown } from '../../../commands/engine/recording.ts';
import { agentSessionEvents, type AgentSessionEvent } from '../../../contracts/events/agent-session.ts';
import type { RecordedEvent } from '../../event-store/client/index.ts';
import type { Metrics } from '../../metrics/index.ts';

/** The events that end a turn. A message in manual mode is a turn that ends as it comes. */
const ends: Readonly<Partial<Record<AgentSessionEvent['type'], string>>> = {
  MessageLogged: 'logged',
  TurnSettled: 'settled',
  TurnFailed: 'failed',
  TurnSuperseded: 'superseded',
  TurnAbandoned: 'abandoned',
};

/** A turn under way. */
interface Running {
  readonly since: number;
  /** What decided; `none` as long as nothing has. */
  readonly decomposer: string;
}

/**
 * For the projector: how turns of agent sessions end, from the log as it is applied, whichever process ended them. A turn that
 * began before this process followed the log is counted and not timed.
 */
export function agentMetrics(metrics: Metrics): (event: RecordedEvent) => void {
  const turns = metrics.counter(
    'service_agent_turns_total',
    'Turns of agent sessions that ended, by how, and by what had made their plan',
    'end',
    'decomposer',
  );
  const durations = metrics.durations(
    'service_agent_turn_duration_seconds',
    'From the admission of a message until its turn ended, with the shares of provider and browser',
    'end',
    'decomposer',
  );
  const tokens = metrics.counter(
    'service_agent_tokens_total',
    'Tokens that models counted, in and out',
    'decomposer',
  );
  /** Each ends with its lease at the latest. */
  const running = new Map<string, Running>();
  const ended = (turnId: string, end: string, at: string) => {
    const turn = running.get(turnId);
    running.delete(turnId);
    const labels = { end, decomposer: turn?.decomposer ?? 'none' };
    turns(labels);
    if (turn !== undefined) durations(labels, Math.max(0, Date.parse(at) - turn.since));
  };
  return (event) => {
    if (event.data === undefined || !isKnown<AgentSessionEvent>(agentSessionEvents, event)) return;
    const { type, data } = event;
    const end = ends[type];
    if (type === 'TurnAdmitted') running.set(data.turnId, { since: Date.parse(data.at), decomposer: 'none' });
    else if (type === 'TurnDecomposed' || type === 'TurnReadBack') {
      const { decomposerKind: decomposer } = data.usage;
      const turn = running.get(data.turnId);
      if (turn !== undefined) running.set(data.turnId, { ...turn, decomposer });
      if (data.tokens > 0) tokens({ decomposer }, data.tokens);
    } else if (end !== undefined && 'turnId' in data) ended(data.turnId, end, data.at);
  };
}

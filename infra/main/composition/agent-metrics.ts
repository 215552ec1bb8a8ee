import { hasKnownType } from '../../../commands/engine/recording.ts';
import {
  agentSessionEvents,
  decomposerKinds,
  type AgentSessionEvent,
} from '../../../contracts/events/agent-session.ts';
import { problems, type ProblemSlug } from '../../../contracts/problems.ts';
import type { RecordedEvent } from '../../event-store/client/index.ts';
import type { Metrics } from '../../metrics/index.ts';
import { ProviderKeyRefused, type ModelCall, type ModelDecomposer } from '../../model/port.ts';

/** Events that end a turn. A message in manual mode is a turn that ends at once. */
const ends: Readonly<Partial<Record<AgentSessionEvent['type'], string>>> = {
  MessageLogged: 'logged',
  TurnSettled: 'settled',
  TurnFailed: 'failed',
  TurnSuperseded: 'superseded',
  TurnAbandoned: 'abandoned',
};

/** Whether a turn failed for want of something that its caller has to provide, such as a key, a consent or a free session. */
const isCallers = (problem: ProblemSlug): boolean =>
  problem === 'byok-llm-required' || problems[problem].status < 500;

const endOf = ({ type, data }: AgentSessionEvent): string | undefined =>
  type === 'TurnFailed' && isCallers(data.problem) ? 'refused' : ends[type];

/** A running turn. */
interface Running {
  readonly since: number;
  /** The deciding decomposer; `none` before a decision. */
  readonly decomposer: string;
  readonly rounds: number;
}

/** Bands of turns by number of rounds: each is a series. */
const bands = [
  [0, '0'],
  [1, '1'],
  [2, '2'],
  [3, '3'],
  [6, '4-6'],
  [12, '7-12'],
  [Infinity, 'more'],
] as const;
const bandOf = (rounds: number): string => bands.find(([most]) => rounds <= most)?.[1] ?? 'more';

/**
 * For the projector: outcomes of turns, from the log as it is applied, for turns of all processes. A turn that started before
 * this process followed the log is counted without its duration.
 */
export function agentMetrics(metrics: Metrics): (event: RecordedEvent) => void {
  const rounds = roundMetrics(metrics);
  const turns = turnMetrics(metrics);
  /** Bounded: each ends with its lease at the latest. */
  const running = new Map<string, Running>();
  const ended = (turnId: string, end: string, at: string) => {
    const turn = running.get(turnId);
    running.delete(turnId);
    turns.ended(end, turn, at);
    if (turn !== undefined) rounds.ended(turn.rounds);
  };
  return (event) => {
    if (event.data === undefined || !hasKnownType<AgentSessionEvent>(agentSessionEvents, event)) return;
    const { type, data } = event;
    const end = endOf(event);
    if (end !== undefined && 'turnId' in data) ended(data.turnId, end, data.at);
    if (type === 'TurnSettled') rounds.limited(data.limit);
    if (type === 'TurnAdmitted')
      running.set(data.turnId, { since: Date.parse(data.at), decomposer: 'none', rounds: 0 });
    if (type === 'TurnDecomposed' || type === 'TurnReadBack') turns.used(data);
    if (type !== 'TurnDecomposed') return;
    const turn = running.get(data.turnId);
    const { decomposerKind: decomposer } = data.usage;
    if (turn !== undefined) running.set(data.turnId, { ...turn, decomposer, rounds: data.round });
    rounds.decided(data.round, data.tokens);
  };
}

type Used = Pick<Extract<AgentSessionEvent, { type: 'TurnReadBack' }>['data'], 'usage' | 'tokens'>;

function turnMetrics(metrics: Metrics) {
  const turns = metrics.counter(
    'service_agent_turns_total',
    'Turns of agent sessions that ended, by outcome and by what had made their plan',
    'end',
    'decomposer',
  );
  for (const end of ['failed', 'abandoned'])
    for (const decomposer of ['none', ...decomposerKinds]) turns({ end, decomposer }, 0);
  const durations = metrics.durations(
    'service_agent_turn_duration_seconds',
    'Time from the admission of a message until its turn ended, with the shares of provider and browser',
    'end',
    'decomposer',
  );
  const tokens = metrics.counter(
    'service_agent_tokens_total',
    'Tokens that models counted, in and out',
    'decomposer',
  );
  return {
    ended: (end: string, turn: Running | undefined, at: string) => {
      const labels = { end, decomposer: turn?.decomposer ?? 'none' };
      turns(labels);
      if (turn !== undefined) durations(labels, Math.max(0, Date.parse(at) - turn.since));
    },
    used: ({ usage: { decomposerKind: decomposer }, tokens: used }: Used) => {
      if (used > 0) tokens({ decomposer }, used);
    },
  };
}

/** Rounds of turns, and the cost of further observations. */
function roundMetrics(metrics: Metrics) {
  const turns = metrics.counter(
    'service_agent_turn_rounds_total',
    'Turns of agent sessions that ended, by their rounds',
    'rounds',
  );
  const limits = metrics.counter(
    'service_agent_turn_limits_total',
    'Turns of agent sessions that a limit kept from another round, by limit',
    'limit',
  );
  const decided = metrics.counter(
    'service_agent_rounds_total',
    'Rounds of turns in which a decision was made',
    'round',
  );
  const tokens = metrics.counter(
    'service_agent_round_tokens_total',
    'Tokens of decisions, of first rounds and of later ones',
    'round',
  );
  return {
    ended: (rounds: number) => turns({ rounds: bandOf(rounds) }),
    limited: (limit: string | null) => {
      if (limit !== null) limits({ limit });
    },
    decided: (number: number, used: number) => {
      const round = number === 1 ? 'first' : 'later';
      decided({ round });
      if (used > 0) tokens({ round }, used);
    },
  };
}

/** For write-api: the model, with a count of its calls in which the provider refuses the service's own key. */
export function countingKeyRefusals(
  metrics: Metrics,
  model: ModelDecomposer,
  ownKey: string | undefined,
): ModelDecomposer {
  const refusals = metrics.counter(
    'service_model_key_refusals_total',
    'Calls in which the model provider did not accept LLM_API_KEY',
  );
  refusals({}, 0);
  const counted = async <T>({ apiKey }: ModelCall, called: Promise<T>): Promise<T> => {
    try {
      return await called;
    } catch (error) {
      if (error instanceof ProviderKeyRefused && apiKey === ownKey) refusals({});
      throw error;
    }
  };
  return {
    decompose: (call) => counted(call, model.decompose(call)),
    readBack: (call) => counted(call, model.readBack(call)),
    fillIn: (call, form) => counted(call, model.fillIn(call, form)),
  };
}

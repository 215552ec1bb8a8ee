import {
  agentSessionEvents,
  sealedFields,
  type AgentSessionEvent,
} from '../../../contracts/events/agent-session.ts';
import type { SealedBody } from '../../../contracts/events/agent-transcript.ts';
import { streamOf } from '../../../contracts/events/catalogue.ts';
import { uuidOf } from '../../../contracts/ids.ts';
import { refuse } from '../../../contracts/problems.ts';
import { presentAgentSession } from '../../../contracts/resources/agent-session.ts';
import type { IntentResult, MessageAnswer } from '../../../contracts/resources/agent-turn.ts';
import { agentSession } from '../../../domain/agent-session/agent-session.ts';
import { exists, type AgentSession } from '../../../domain/agent-session/state.ts';
import { isOfTurn } from '../../../domain/agent-session/turns.ts';
import { hasKnownType } from '../../engine/recording.ts';
import type { Outcome } from '../../receipt/index.ts';
import { openJson } from '../find.ts';
import type { OwnedAgentSession } from '../ports.ts';
import type { TurnPorts } from './ports.ts';
import {
  answerOf,
  nothingDone,
  superseded,
  withRound,
  type FailedEntry,
  type ShownPlan,
  type TurnRecord,
} from './record.ts';

type Ports = Pick<TurnPorts, 'store' | 'vault'>;

/**
 * Agent sessions whose events are read at once in this process, in all and of one account: a stream may have millions, and all reads share
 * the processor.
 */
export const outcomesAtOnce = { total: 2, perKey: 1 } as const;

/**
 * Rebuilds a message's outcome from the stream, for an answer that was not stored. An abandoned turn stays refused, because it is unknown
 * whether its last step took effect. The stream is not read while the turn runs.
 */
export async function outcome(
  ports: Ports & Pick<TurnPorts, 'runner' | 'outcomes'>,
  found: OwnedAgentSession,
  turnId: string,
): Promise<Outcome<MessageAnswer>> {
  const { state } = await ports.runner.load(agentSession, uuidOf(found.id));
  if (exists(state) && state.turn?.turnId === turnId) return { kind: 'creating' };
  return ports.outcomes.hold(found.accountId, () => read(ports, found, turnId));
}

async function read(ports: Ports, found: OwnedAgentSession, turnId: string): Promise<Outcome<MessageAnswer>> {
  let state: AgentSession = agentSession.initialState;
  let record: TurnRecord = nothingDone;
  let ended: End | undefined;
  let isAdmitted = false;
  for await (const event of ports.store.readStream(streamOf(agentSessionEvents, uuidOf(found.id)))) {
    if (!hasKnownType<AgentSessionEvent>(agentSessionEvents, event)) continue;
    // A session that is closed for its budget after the turn belongs to its state.
    if (ended !== undefined && !closesWith(event)) break;
    state = agentSession.evolve(state, event);
    if (!isOfTurn(event) || event.data.turnId !== turnId) continue;
    isAdmitted = true;
    if (isEnd(event)) ended = event;
    else record = await withStep(ports, found, record, event);
  }
  if (ended !== undefined) return outcomeOf(ports, found, record, { ended, state });
  return { kind: isAdmitted ? 'creating' : 'absent' };
}

const closesWith = (event: AgentSessionEvent): boolean =>
  event.type === 'AgentSessionClosed' && event.data.reason === 'budget-exhausted';

const ends = ['MessageLogged', 'TurnSettled', 'TurnFailed', 'TurnSuperseded', 'TurnAbandoned'] as const;
type End = Extract<AgentSessionEvent, { readonly type: (typeof ends)[number] }>;
const isEnd = (event: AgentSessionEvent): event is End => ends.some((type) => type === event.type);

async function withStep(
  ports: Ports,
  found: OwnedAgentSession,
  record: TurnRecord,
  event: AgentSessionEvent,
): Promise<TurnRecord> {
  if (event.type === 'TurnDecomposed') {
    const { turnId, round, sealedPlan } = event.data;
    const plan = await openJson<ShownPlan>(ports, found, sealedFields.plan(turnId, round), sealedPlan);
    return withRound(record, plan, event.data);
  }
  if (event.type === 'IntentSettled') {
    const { turnId, index, sealedResult } = event.data;
    const result = await openJson<IntentResult>(
      ports,
      found,
      sealedFields.result(turnId, index),
      sealedResult,
    );
    return { ...record, results: [...record.results, result] };
  }
  if (event.type !== 'TurnReadBack') return record;
  return { ...record, tokens: record.tokens + event.data.tokens };
}

async function outcomeOf(
  ports: Ports,
  found: OwnedAgentSession,
  record: TurnRecord,
  { ended, state }: { readonly ended: End; readonly state: AgentSession },
): Promise<Outcome<MessageAnswer>> {
  if (!exists(state)) return { kind: 'absent' };
  switch (ended.type) {
    case 'MessageLogged':
      return { kind: 'created', body: { kind: 'logged-manual', session: presentAgentSession(state) } };
    case 'TurnSettled': {
      const { turnId, limit, sealedAnswer } = ended.data;
      const field = sealedFields.answer(turnId);
      const { result = null } = await openJson<SealedBody>(ports, found, field, sealedAnswer);
      return { kind: 'created', body: answerOf({ ...record, limit, result }, state) };
    }
    case 'TurnFailed': {
      const { turnId, problem, sealedAnswer } = ended.data;
      const { detail, extensions } = await openJson<Pick<FailedEntry, 'detail' | 'extensions'>>(
        ports,
        found,
        sealedFields.answer(turnId),
        sealedAnswer,
      );
      return { kind: 'refused', refusal: refuse(problem, detail, extensions) };
    }
    case 'TurnSuperseded':
      return { kind: 'refused', refusal: superseded(record, ended.data.phase) };
    case 'TurnAbandoned':
      return { kind: 'refused', refusal: refuse('conflict', lost, { phase: ended.data.phase }) };
  }
}

const lost =
  'The process that ran this turn stopped, and the outcome of its last step is unknown. Check the page, then send what remains to be done with a new idempotency key.';

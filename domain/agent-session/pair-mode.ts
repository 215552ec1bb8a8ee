import type { AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import { invalid } from '../../contracts/field-errors.ts';
import { refuse, type ProblemSlug } from '../../contracts/problems.ts';
import type { PairKind } from '../../contracts/resources/agent-session.ts';
import type { Rules } from '../kit/decider.ts';
import type { PairCommand } from './commands.ts';
import { active, sessionFields, present } from './guards.ts';
import { namesParticipant, type Pair } from './pair.ts';
import { exists, isOpen, type AgentSession, type ExistingAgentSession } from './state.ts';

const takenOver: ReadonlySet<PairKind> = new Set(['takeover-pending', 'takeover-queued', 'human-driving']);

export const pairRules: Rules<AgentSession, PairCommand, AgentSessionEvent> = {
  /**
   * The first of concurrent requests wins; the others are refused with its client id. A participant has one
   * connection: a request of its own under another client id comes from a page that was reloaded, so the new client
   * replaces the old one. A client may name its participant after its request. No other participant replaces
   * that one, because client ids are not secret.
   */
  TakeOver(state, { clientId, participant, isPresent = false, trigger, heartbeatDueAt, at }) {
    const session = active(state);
    const pair = pairOf(session);
    const isReloaded = isPresent && participant !== undefined && pair.participant === participant;
    const isNews =
      pair.clientId === clientId ? namesParticipant(pair, { clientId, participant }) : isReloaded;
    if (takenOver.has(pair.kind) && !isNews) {
      assertHolder(pair, clientId);
      return [];
    }
    if (pair.kind !== 'ai-driving' && !takenOver.has(pair.kind)) throw invalidMove(pair.kind, 'takeover');
    const queued = session.turn !== null;
    const client = { clientId, ...(participant !== undefined && { participant }) };
    const change = { ...client, trigger, queued, epoch: session.epoch + 1 };
    const data = { ...sessionFields(session, at), ...change, heartbeatDueAt: queued ? null : heartbeatDueAt };
    return [{ type: 'TakeoverRequested', data }];
  },
  ExpireHeartbeat(state, { heartbeatMs, lastHeartbeatAt, at }) {
    if (!isOpen(state) || state.pair === null) return [];
    const { kind, clientId, since } = state.pair;
    if (clientId === null) return [];
    const lastSign = Math.max(Date.parse(since), lastHeartbeatAt === null ? 0 : Date.parse(lastHeartbeatAt));
    if (Date.parse(at) < lastSign + heartbeatMs) return [];
    const data = { ...sessionFields(state, at), clientId };
    if (kind === 'takeover-pending') return [{ type: 'TakeoverExpired', data }];
    if (kind !== 'human-driving') return [];
    return [{ type: 'PairModeTimedOut', data: { ...data, epoch: state.epoch + 1 } }];
  },
  /** Granted only to the client that requested it, and only while no turn runs. */
  GrantTakeover(state, { clientId, heartbeatDueAt, at }) {
    if (!exists(state) || state.status !== 'active' || state.turn !== null) return [];
    if (state.pair?.kind !== 'takeover-pending' || state.pair.clientId !== clientId) return [];
    return [{ type: 'TakeoverGranted', data: { ...sessionFields(state, at), clientId, heartbeatDueAt } }];
  },
  /**
   * Outside pair mode, a client's request is refused with the contract's `pair-mode-conflict`, and a participant's
   * with `conflict`.
   */
  HandBack(state, { clientId, at }) {
    const session = active(state);
    const pair = pairOf(session, clientId === undefined ? 'pair-mode-conflict' : 'conflict');
    if (clientId !== undefined && (pair.kind !== 'human-driving' || pair.clientId !== clientId)) return [];
    if (pair.kind !== 'human-driving')
      throw refuse('pair-mode-conflict', 'Only the agent has the controls.', winnerOf(pair));
    const data = { ...sessionFields(session, at), queued: session.turn !== null, epoch: session.epoch + 1 };
    return [{ type: 'HandbackRequested', data }];
  },
  CompleteHandback(state, { since, at }) {
    if (!isOpen(state) || state.pair?.kind !== 'handback-pending') return [];
    if (since !== undefined && since !== state.pair.since) return [];
    return [{ type: 'HandbackCompleted', data: sessionFields(state, at) }];
  },
};

/**
 * Classifies a client's input event by the state alone: a request for the controls, a heartbeat of the client that has or
 * requested them, or a refusal. Only a request is recorded as an event.
 */
export function judgeInput(
  state: AgentSession,
  clientId: string | null,
): 'takes_over' | 'heartbeat' | 'none' {
  if (clientId === null && present(state).mode === 'pair') throw clientRequired();
  const { mode, pair } = active(state);
  if (mode === 'ai') throw refuse('conflict', 'The agent drives: the mode is ai.');
  if (pair === null || clientId === null) return 'none';
  if (pair.kind === 'ai-driving') return 'takes_over';
  assertHolder(pair, clientId);
  return pair.clientId === null ? 'none' : 'heartbeat';
}

const clientRequired = () =>
  invalid({ path: '/body/client_id', code: 'required', message: 'is required in pair mode' });

function pairOf({ pair }: ExistingAgentSession, slug: ProblemSlug = 'conflict'): Pair {
  if (pair !== null) return pair;
  throw refuse(slug, 'The agent session is not in pair mode.');
}

function assertHolder(pair: Pair, clientId: string): void {
  if (pair.clientId !== null && pair.clientId !== clientId)
    throw refuse('pair-mode-conflict', 'Another client has the controls, or asked first.', winnerOf(pair));
}

const winnerOf = ({ clientId }: Pair): Record<string, unknown> =>
  clientId === null ? {} : { winner_client_id: clientId };

const invalidMove = (from: PairKind, transition: string) =>
  refuse('pair-mode-invalid-transition', `A ${transition} is not possible while ${from}.`, {
    from,
    transition,
  });

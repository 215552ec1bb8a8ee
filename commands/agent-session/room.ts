import type { RoomAnswer, RoomRequest, RoomState } from '../../contracts/fleet/room.ts';
import type { AgentSessionId, NodeId, SessionId } from '../../contracts/ids.ts';
import { Refusal, refuse } from '../../contracts/problems.ts';
import type { AgentSessionCommand } from '../../domain/agent-session/commands.ts';
import { exists, liveLinks, type ExistingAgentSession } from '../../domain/agent-session/state.ts';
import { after } from '../../domain/kit/time.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import { now, reportContext } from '../engine/context.ts';
import { load, run } from './find.ts';
import { participantContext } from './participant.ts';
import { heartbeatKey, type UpkeepPorts } from './ports.ts';
import { createTurnSteps, type TurnStepsPorts } from './turn-steps.ts';
import { nodeOf } from './video-grant.ts';

type RoomPorts = Pick<UpkeepPorts, 'runner' | 'clock' | 'heartbeats' | 'settings'> & TurnStepsPorts;
interface Looking extends RoomPorts {
  readonly stepsOf: ReturnType<typeof createTurnSteps>;
}

/** Who controls an agent session, for the node of its browser. Undefined on any other node, and for a missing agent session. */
async function look(ports: Looking, node: NodeId, id: AgentSessionId): Promise<RoomState | undefined> {
  const state = await load(ports, id);
  if (!exists(state) || !(await mayLook(ports, node, state))) return undefined;
  return presentRoom(state, {
    heartbeat_ms: ports.settings.pairHeartbeatMs,
    steps: await ports.stepsOf(state),
    at: now(ports),
  });
}

/** Whether the node may see the session. Without a browser any node may: there is nothing to send input to. */
async function mayLook(ports: RoomPorts, node: NodeId, state: ExistingAgentSession): Promise<boolean> {
  const running = await nodeOfBrowser(ports, state);
  return running === undefined || running === node;
}

const nodeOfBrowser = (ports: RoomPorts, { browser }: ExistingAgentSession): Promise<NodeId | undefined> =>
  nodeOf(ports, { session: browser?.sessionId ?? null });

interface Beside {
  readonly heartbeat_ms: number;
  /** Steps of the turn under way. */
  readonly steps: readonly string[];
  readonly at: string;
}

function presentRoom(state: ExistingAgentSession, { heartbeat_ms, steps, at }: Beside): RoomState {
  const { browser, status, mode, pair, epoch, turn } = state;
  return {
    session_id: browser === null || browser.ended ? null : browser.sessionId,
    ...{ status, mode, epoch, heartbeat_ms },
    pair: pair && {
      ...{ kind: pair.kind, client_id: pair.clientId, since: pair.since },
      participant: pair.participant ?? null,
    },
    turn: turn && {
      ...{ turn_id: turn.turnId, phase: turn.phase, round: turn.rounds },
      ...{ intents: turn.intents, settled: turn.settled, steps: [...steps] },
    },
    links: liveLinks(state, at).map(({ linkId, right, expiresAt }) => ({
      ...{ id: linkId, right, expires_at: expiresAt },
    })),
  };
}

/** Carries out a participant's request, or the effects of its joining and leaving. Only the browser's node may ask. */
async function ask(
  ports: RoomPorts,
  node: NodeId,
  id: AgentSessionId,
  request: RoomRequest,
): Promise<RoomAnswer | undefined> {
  const state = await load(ports, id);
  if (!exists(state) || (await nodeOfBrowser(ports, state)) !== node) return undefined;
  const { client_id, kind } = request;
  try {
    if (kind !== 'beat') {
      const command = commandOf(ports, request);
      const context = reportContext(request.request_id, 'callback:room');
      await run(ports, id, command, participantContext(context, request, state.accountId));
    }
    if (kind !== 'handback' && kind !== 'screen') ports.heartbeats.record(heartbeatKey.client(id, client_id));
    return { refused: null };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.slug };
    throw error;
  }
}

function commandOf(
  ports: RoomPorts,
  { kind, trigger, client_id: clientId, participant }: RoomRequest,
): AgentSessionCommand {
  const at = now(ports);
  if (kind === 'screen') return { type: 'TakeOverScreen', participant, at };
  const heartbeatDueAt = after(at, ports.settings.pairHeartbeatMs);
  if (kind === 'takeover')
    return { type: 'TakeOver', clientId, participant, isPresent: true, trigger, heartbeatDueAt, at };
  if (kind === 'handback') return { type: 'HandBack', clientId, at };
  if (!ports.settings.grants)
    throw refuse('feature-unavailable', 'This deployment does not support takeovers.');
  return { type: 'GrantTakeover', clientId, heartbeatDueAt, at };
}

/** Records that people are watching the browsers of these sessions. */
function watched({ heartbeats }: RoomPorts, sessions: readonly SessionId[]): void {
  for (const id of sessions) heartbeats.record(heartbeatKey.watched(id));
}

/** Nodes' requests on agent sessions, for people connected to their browsers. */
export const createAgentRooms = (ports: RoomPorts) =>
  bindPorts({ ...ports, stepsOf: createTurnSteps(ports) }, { look, ask, watched });

export type AgentRooms = ReturnType<typeof createAgentRooms>;

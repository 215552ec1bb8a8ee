import type { AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import { uuidOf, type AgentSessionId, type SessionId } from '../../contracts/ids.ts';
import type { AgentSessionCommand } from '../../domain/agent-session/commands.ts';
import { endOf } from '../../domain/agent-session/lost-browser.ts';
import { exists, type AgentSession, type ExistingAgentSession } from '../../domain/agent-session/state.ts';
import type { DataOf } from '../../domain/kit/decider.ts';
import { after } from '../../domain/kit/time.ts';
import { session } from '../../domain/session/session.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import { now, ownedStep, type CommandContext } from '../engine/context.ts';
import { askBrowser, noBrowser } from './browser.ts';
import { load, run } from './find.ts';
import { holderOf, letGo, release } from './holder.ts';
import { closeIdle, endIdleSession } from './idle.ts';
import { heartbeatKey, type UpkeepPorts } from './ports.ts';

/**
 * Changes of agent sessions caused by timers, by their own events and by those of their driver sessions. Each is decided on the
 * stream, and is idempotent.
 */
export const createAgentSessionUpkeep = (ports: UpkeepPorts) =>
  bindPorts(ports, {
    expireTurnLease,
    expireHeartbeat,
    checkChallenge,
    loseDriverSession,
    announceDrain,
    pause,
    endDriverSession,
    releaseClosed,
    completeHandback,
    endIdleSession,
    closeIdle,
  });

export type AgentSessionUpkeep = ReturnType<typeof createAgentSessionUpkeep>;

/**
 * Fails a turn whose process sent no heartbeat for the whole lease. The time is taken before the last heartbeat is read, so that
 * one sent during a slow read is not counted as silence.
 */
async function expireTurnLease(ports: UpkeepPorts, id: AgentSessionId, context: CommandContext) {
  const state = await load(ports, id);
  if (!exists(state) || state.turn === null) return;
  const { turnLeaseMs: leaseMs, pairHeartbeatMs } = ports.settings;
  const at = now(ports);
  const lastHeartbeatAt = await ports.heartbeats.last(heartbeatKey.turn(state.turn.turnId));
  const heartbeatDueAt = after(at, pairHeartbeatMs);
  const command = { type: 'AbandonTurn', leaseMs, lastHeartbeatAt, heartbeatDueAt, at } as const;
  await runOn(ports, state, command, context);
}

async function expireHeartbeat(ports: UpkeepPorts, id: AgentSessionId, context: CommandContext) {
  const state = await load(ports, id);
  if (!exists(state) || !state.pair?.clientId) return;
  const { pairHeartbeatMs: heartbeatMs } = ports.settings;
  const at = now(ports);
  const lastHeartbeatAt = await ports.heartbeats.last(heartbeatKey.client(id, state.pair.clientId));
  await runOn(ports, state, { type: 'ExpireHeartbeat', heartbeatMs, lastHeartbeatAt, at }, context);
}

/** Polls the node for the challenge whose resume was requested. */
async function checkChallenge(ports: UpkeepPorts, id: AgentSessionId, context: CommandContext) {
  const state = await load(ports, id);
  if (!exists(state) || !state.challenge?.resumeUntil) return;
  const { challengeId } = state.challenge;
  const at = now(ports);
  const isCleared = await isGone(ports, state, challengeId);
  const command = isCleared
    ? ({ type: 'Resume', challengeId, at } as const)
    : ({ type: 'ExpireResume', at } as const);
  await runOn(ports, state, command, context);
}

/** True if the challenge, or its browser, is gone. */
async function isGone(ports: UpkeepPorts, state: AgentSession, challengeId: string): Promise<boolean> {
  const answer = await askBrowser(ports, state, 'challenge', { challenge_id: challengeId });
  return answer === noBrowser || (answer.status === 'ok' && answer.result.cleared);
}

/** A driver session has ended: the agent session that holds it loses it. */
async function loseDriverSession(ports: UpkeepPorts, sessionId: SessionId, context: CommandContext) {
  const held = await holderOf(ports, sessionId);
  if (held === null) return;
  const { state } = await ports.runner.load(session, uuidOf(sessionId));
  const loss = { sessionId, cause: 'ended', ...endOf(state) } as const;
  await runOn(ports, held, { type: 'LoseDriverSession', ...loss, at: now(ports) }, context);
  await letGo(ports, held, context);
}

/** The node of its driver session drains. `endsBy`: when the node stops at the latest; null if unknown. */
const announceDrain = (
  ports: UpkeepPorts,
  { sessionId, endsBy, ...of }: Of & { readonly sessionId: SessionId; readonly endsBy: string | null },
  context: CommandContext,
) => runOn(ports, of, { type: 'AnnounceDrain', sessionId, endsBy, at: now(ports) }, context);

/** Pauses the agent session: a page of its driver session needs a person. */
async function pause(
  ports: UpkeepPorts,
  { sessionId, challengeId }: { readonly sessionId: SessionId; readonly challengeId: string },
  context: CommandContext,
) {
  const held = await holderOf(ports, sessionId);
  if (held !== null)
    await runOn(ports, held, { type: 'Pause', sessionId, challengeId, at: now(ports) }, context);
}

/** Ends a driver session that was given up with its turn; any other has ended already. */
async function endDriverSession(
  ports: UpkeepPorts,
  { cause, ...holding }: DataOf<AgentSessionEvent, 'DriverSessionLost'>,
  context: CommandContext,
) {
  const { accountId, sessionId } = holding;
  if (cause === 'turn_lost')
    await ports.sessions.endOrWithdraw({ accountId, context }, sessionId, 'agent_session');
  await letGo(ports, holding, context);
}

async function releaseClosed(ports: UpkeepPorts, id: AgentSessionId, context: CommandContext) {
  const state = await load(ports, id);
  if (exists(state)) await release(ports, state, context);
}

/** `at`: when it was requested or promoted. A reaction that is repeated late completes no later handback. */
const completeHandback = (
  ports: UpkeepPorts,
  { at: since, ...of }: Of & { readonly at: string },
  context: CommandContext,
) => runOn(ports, of, { type: 'CompleteHandback', since, at: now(ports) }, context);

type Of = Pick<ExistingAgentSession, 'agentSessionId' | 'accountId'>;

const runOn = (
  ports: UpkeepPorts,
  { agentSessionId, accountId }: Of,
  command: AgentSessionCommand,
  context: CommandContext,
) => run(ports, agentSessionId, command, ownedStep(context, accountId, command.type));

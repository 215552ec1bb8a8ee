import { uuidOf, type AccountId, type NodeId, type SessionId } from '../../contracts/ids.ts';
import type { Report } from '../../contracts/fleet/protocol.ts';
import { accountSlots } from '../../domain/account-slots.ts';
import type { SessionCommand } from '../../domain/session/commands.ts';
import { session } from '../../domain/session/session.ts';
import { isLive } from '../../domain/session/state.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { ownedContext, reportContext, stepContext } from '../engine/derived-context.ts';
import type { Caller, CommandContext } from '../engine/context.ts';
import type { OwnedSession } from './find.ts';
import type { SessionPorts } from './ports.ts';
import { cleanUp, closeBrowser, releaseSlot } from './slots.ts';

/**
 * Ends the session and frees its slot before it returns; closes its browser before that too, unless the browser is still
 * starting. Such a one can only be closed once it has started, which nobody waits for: the node is told, and should this
 * process die, the creation that lost, the reaction to the end or the node's next heartbeat sees to it. Idempotent.
 */
export async function destroySession(
  ports: SessionPorts,
  { context }: Caller,
  { id }: OwnedSession,
): Promise<{ readonly position: Position | undefined }> {
  const command = { type: 'DestroySession', cause: 'customer', at: now(ports) } as const;
  const { state, position } = await ports.runner.run(
    session,
    uuidOf(id),
    command,
    stepContext(context, 'end-session'),
  );
  if (state.status === 'destroyed' || state.status === 'errored') {
    const closed = closeBrowser(ports, state);
    await releaseSlot(ports, state.accountId, id, context);
    if (state.readyAt !== null) await closed;
  }
  return { position };
}

/**
 * Ends every session that holds a slot of the account. A reservation whose session is not there yet is left alone:
 * when its request comes, it comes after the suspension in the log, and `endIfSuspended` looks at it.
 */
export async function endForSuspension(
  ports: SessionPorts,
  accountId: AccountId,
  context: CommandContext,
): Promise<void> {
  const { state } = await ports.runner.load(accountSlots, uuidOf(accountId));
  await Promise.all(
    state.slots.map(({ sessionId }) => endSuspended(ports, sessionId, stepContext(context, sessionId))),
  );
}

export async function endSuspended(
  ports: SessionPorts,
  sessionId: SessionId,
  context: CommandContext,
): Promise<void> {
  const at = now(ports);
  await decide(ports, sessionId, { type: 'DestroySession', cause: 'suspension', at }, context);
}

export async function expireCreationLease(
  ports: SessionPorts,
  sessionId: SessionId,
  context: CommandContext,
): Promise<void> {
  await decide(ports, sessionId, { type: 'ExpireCreationLease', at: now(ports) }, context);
}

export async function enforceDurationCap(
  ports: SessionPorts,
  sessionId: SessionId,
  context: CommandContext,
): Promise<void> {
  await decide(ports, sessionId, { type: 'EnforceDurationCap', at: now(ports) }, context);
}

export async function markNodeLost(
  ports: SessionPorts,
  sessionId: SessionId,
  nodeId: NodeId,
  context: CommandContext,
): Promise<void> {
  const at = now(ports);
  await decide(ports, sessionId, { type: 'LoseBrowser', nodeId, reason: 'node_lost', at }, context);
}

/** What a node says about one of its sessions. Each report has at most one effect, however often it is sent. */
export async function takeReport(ports: SessionPorts, nodeId: NodeId, report: Report): Promise<void> {
  const command = reported(nodeId, report, now(ports));
  await decide(ports, report.session_id, command, reportContext(report.report_id));
}

/** `at` is when the report was taken: a node's clock decides nothing here. */
function reported(nodeId: NodeId, report: Report, at: string): SessionCommand {
  const of = { nodeId, reportId: report.report_id, at };
  switch (report.kind) {
    case 'egress_capabilities':
      return { type: 'ReportEgress', ...of, capabilities: report.capabilities };
    case 'session_died':
      return { type: 'LoseBrowser', nodeId, reason: 'driver_failure', at };
    case 'challenge_detected': {
      const { challenge_id: challengeId, challenge } = report;
      return { type: 'ReportChallenge', ...of, challengeId, challenge };
    }
    case 'profile_save_failed': {
      const { profile_id: profileId, reason, detail } = report;
      return { type: 'ReportProfileSave', ...of, profileId, reason, detail };
    }
  }
}

/** Those of a node's sessions whose browsers must go: ended, unknown, or meant for another node. */
export async function sessionsToDestroy(
  { runner }: SessionPorts,
  nodeId: NodeId,
  sessions: readonly SessionId[],
): Promise<readonly SessionId[]> {
  const belongs = async (id: SessionId): Promise<boolean> => {
    const { state } = await runner.load(session, uuidOf(id));
    return isLive(state) && state.nodeId === nodeId;
  };
  const kept = await Promise.all(sessions.map(belongs));
  return sessions.filter((_, index) => kept[index] === false);
}

/** Runs a command that nobody's request stands behind, and cleans up at once when it ended the session. */
async function decide(
  ports: SessionPorts,
  sessionId: SessionId,
  command: SessionCommand,
  context: CommandContext,
): Promise<void> {
  const { state } = await ports.runner.load(session, uuidOf(sessionId), { cached: true });
  if (state.status === 'none') return;
  const owned = ownedContext(stepContext(context, command.type), state.accountId);
  const { state: after, events } = await ports.runner.run(session, uuidOf(sessionId), command, owned);
  const hasEnded = events.some(({ type }) => type === 'SessionErrored' || type === 'SessionDestroyed');
  if (hasEnded && (after.status === 'destroyed' || after.status === 'errored')) {
    await cleanUp(ports, after, owned);
  }
}

const now = ({ clock }: SessionPorts): string => clock.now().toISOString();

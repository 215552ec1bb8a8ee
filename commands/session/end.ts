import type { Report } from '../../contracts/fleet/protocol.ts';
import { uuidOf, type AccountId, type NodeId, type ProfileId, type SessionId } from '../../contracts/ids.ts';
import { account } from '../../domain/account.ts';
import { accountSlots } from '../../domain/account-slots.ts';
import { profile } from '../../domain/profile/profile.ts';
import type { Recorded } from '../../domain/profile/state.ts';
import { session, type DestroyCause, type SessionCommand } from '../../domain/session/session.ts';
import { isLive } from '../../domain/session/state.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import {
  now,
  ownedContext,
  ownedStep,
  reportContext,
  stepContext,
  type Caller,
  type CommandContext,
} from '../engine/context.ts';
import {
  cleanUpEnded,
  closeBrowser,
  isEnded,
  letGoOfProfile,
  releaseEnded,
  releaseHeld,
  releaseUnlessLive,
  slotOf,
} from './release.ts';
import type { OwnedSession, SessionPorts } from './ports.ts';

type SaveFailureReport = Extract<Report, { readonly kind: 'profile_save_failed' }>;
type SaveFailed = Pick<Recorded<'StateSaveFailed'>, 'sessionId' | 'profileId' | 'reason' | 'detail'>;

/** Ends the session on a customer's request, as `destroyFor` does. */
export const destroy = (
  ports: SessionPorts,
  { context }: Pick<Caller, 'context'>,
  { id }: Pick<OwnedSession, 'id'>,
): Promise<{ readonly position: Position | undefined }> => destroyFor(ports, id, 'customer', context);

/**
 * Ends the session, and before it returns releases its profile and slot, and closes its browser. A browser that is still starting
 * is closed later, without waiting: the node gets the command; if this process dies, the losing creation, the reaction to the end
 * or the node's next heartbeat closes it. Idempotent: the first cause stays.
 */
async function destroyFor(
  ports: SessionPorts,
  id: SessionId,
  cause: DestroyCause,
  context: CommandContext,
): Promise<{ readonly position: Position | undefined }> {
  const command = { type: 'DestroySession', cause, at: now(ports) } as const;
  const step = stepContext(context, 'end-session');
  const { state, position } = await ports.runner.run(session, uuidOf(id), command, step);
  if (isEnded(state)) {
    const closed = closeBrowser(ports, state);
    await releaseHeld(ports, state, context);
    if (state.readyAt !== null) await closed;
  }
  return { position };
}

/**
 * Ends every session with a slot of a suspended account. A reservation without a session yet is left alone: its request comes
 * after the suspension in the log, and `endSuspended` ends it.
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

/** Ends one session of a suspended account. */
export const endSuspended = (ports: SessionPorts, id: SessionId, context: CommandContext) =>
  decide(ports, id, { type: 'DestroySession', cause: 'suspension', at: now(ports) }, context);

export const expireCreationLease = (ports: SessionPorts, id: SessionId, context: CommandContext) =>
  decide(ports, id, { type: 'ExpireCreationLease', at: now(ports) }, context);

/** Ends the session, unless its account has paid since it was created. */
export async function enforceDurationCap(ports: SessionPorts, id: SessionId, context: CommandContext) {
  const { state } = await ports.runner.load(session, uuidOf(id));
  if (!isLive(state)) return;
  const { state: owner } = await ports.runner.load(account, uuidOf(state.accountId));
  const tier = owner.status === 'none' ? state.tier : owner.tier;
  await decide(ports, id, { type: 'EnforceDurationCap', tier, at: now(ports) }, context);
}

/** `lastUseAt`: the latest activity outside the session's stream; `at` was taken before it was read. */
export const enforceIdleTimeout = (
  ports: SessionPorts,
  id: SessionId,
  use: { readonly lastUseAt: string | null; readonly at: string },
  context: CommandContext,
) => decide(ports, id, { type: 'EnforceIdleTimeout', ...use }, context);

/** Does not wait for the browser: the sweep that calls this watches all other nodes too. */
export const markNodeLost = (ports: SessionPorts, id: SessionId, nodeId: NodeId, context: CommandContext) =>
  decide(
    ports,
    id,
    { type: 'LoseBrowser', nodeId, reason: 'node_lost', at: now(ports) },
    context,
    releaseEnded,
  );

/** Applies a node's report about a session, at most once however often it is sent. */
export async function takeReport(ports: SessionPorts, nodeId: NodeId, report: Report): Promise<void> {
  if (report.kind === 'profile_save_failed') return takeSaveFailure(ports, nodeId, report);
  const command = reported(nodeId, report, now(ports));
  await decide(
    ports,
    report.session_id,
    command,
    reportContext(report.report_id, `callback:node ${report.kind}`),
  );
}

/** The profile's stream decides whether a save was running; the session's event and the webhook follow from that. */
async function takeSaveFailure(
  ports: SessionPorts,
  nodeId: NodeId,
  { session_id, profile_id, report_id, reason, detail }: SaveFailureReport,
): Promise<void> {
  const { state } = await ports.runner.load(session, uuidOf(session_id));
  if (!isEnded(state) || state.nodeId !== nodeId || state.profileId !== profile_id) return;
  const context = reportContext(report_id, 'callback:node profile_save_failed');
  await letGoOfProfile(ports, state, context);
  const command = { type: 'FailSave', sessionId: session_id, reason, detail, at: now(ports) } as const;
  const step = ownedStep(context, state.accountId, 'fail-save');
  await ports.runner.run(profile, uuidOf(profile_id), command, step);
}

/** Announces a failed save to the session's owner. `context`: of the reaction to that event, whose id the report has. */
export async function reportSaveFailure(
  ports: SessionPorts,
  { sessionId, profileId, reason, detail }: SaveFailed,
  context: CommandContext,
): Promise<void> {
  const { state } = await ports.runner.load(session, uuidOf(sessionId), { cached: true });
  if (state.status === 'none' || state.nodeId === null) return;
  const of = { nodeId: state.nodeId, reportId: context.causationId, at: now(ports) };
  await decide(ports, sessionId, { type: 'ReportProfileSave', ...of, profileId, reason, detail }, context);
}

/** `at`: when the report was received; nodes' clocks are not used. */
function reported(nodeId: NodeId, report: Exclude<Report, SaveFailureReport>, at: string): SessionCommand {
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
  }
}

/** The node's sessions whose browsers must be closed: ended, unknown, or on another node. */
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

/** Releases the slot and closes the browser of an ended session; does nothing otherwise. */
export const cleanUp = async (
  ports: SessionPorts,
  sessionId: SessionId,
  context: CommandContext,
): Promise<void> => cleanUpEnded(ports, (await ports.runner.load(session, uuidOf(sessionId))).state, context);

/**
 * Releases a slot whose lease has expired without a live session: its request died. If that request is only slow, it finds its
 * session withdrawn; otherwise a clock jump, or a process stopped for a while, would leave a session without a slot.
 */
export async function releaseOrphanedSlot(
  ports: SessionPorts,
  accountId: AccountId,
  sessionId: SessionId,
  context: CommandContext,
): Promise<void> {
  const slot = await slotOf(ports, accountId, sessionId);
  if (slot === undefined || ports.clock.now().getTime() < Date.parse(slot.leaseExpiresAt)) return;
  await withdraw(ports, { accountId, context }, sessionId);
}

/**
 * Afterwards the session either was requested or can never be: a creation that `describe` finds absent stays absent. A session
 * that can never be has its slot and its bound profile released (see `releaseUnlessLive`).
 */
export async function withdraw(
  ports: SessionPorts,
  { accountId, context }: Pick<Caller, 'accountId' | 'context'>,
  sessionId: SessionId,
  profileId?: ProfileId,
): Promise<void> {
  const command = { type: 'WithdrawSession', sessionId, at: now(ports) } as const;
  const step = ownedStep(context, accountId, `withdraw ${sessionId}`);
  await ports.runner.run(session, uuidOf(sessionId), command, step);
  await releaseUnlessLive(ports, accountId, sessionId, context, { profileId });
}

/** Ends a session that may not have been requested yet; afterwards it has ended or is withdrawn. */
export async function endOrWithdraw(
  ports: SessionPorts,
  { accountId, context }: Pick<Caller, 'accountId' | 'context'>,
  id: SessionId,
  cause: DestroyCause,
): Promise<void> {
  await withdraw(ports, { accountId, context }, id);
  const { state } = await ports.runner.load(session, uuidOf(id));
  if (state.status !== 'none') await destroyFor(ports, id, cause, ownedContext(context, accountId));
}

/** Runs a command without a request, and cleans up at once if it ended the session. */
async function decide(
  ports: SessionPorts,
  sessionId: SessionId,
  command: SessionCommand,
  context: CommandContext,
  cleanUpAfter = cleanUpEnded,
): Promise<void> {
  const { state } = await ports.runner.load(session, uuidOf(sessionId), { cached: true });
  if (state.status === 'none') return;
  const step = ownedStep(context, state.accountId, command.type);
  const { state: after, events } = await ports.runner.run(session, uuidOf(sessionId), command, step);
  if (events.some(({ type }) => type === 'SessionErrored' || type === 'SessionDestroyed'))
    await cleanUpAfter(ports, after, step);
}

import type { DispatchFailure } from '../../contracts/fleet/protocol.ts';
import { uuidOf, type AccountId, type SessionId } from '../../contracts/ids.ts';
import { sessionErrors } from '../../contracts/operations.ts';
import { accountSlots } from '../../domain/account-slots.ts';
import { session } from '../../domain/session/session.ts';
import { isLive, type EndedSession, type Session } from '../../domain/session/state.ts';
import { NodeSilent } from '../../infra/fleet/control-plane/port.ts';
import { now, ownedStep, type CommandContext } from '../engine/context.ts';
import type { SessionPorts } from './index.ts';

const silence: DispatchFailure = {
  kind: 'silent',
  category: 'session_error',
  reason: sessionErrors.SessionTimeoutError,
};

/**
 * What a node answered. One that does not answer in time is to a session what a browser is that does not: it failed, and
 * whether it ran is unknown.
 */
export async function answerOf<Answer>(
  dispatched: Promise<Answer>,
): Promise<Answer | { readonly outcome: 'failed'; readonly failure: DispatchFailure }> {
  try {
    return await dispatched;
  } catch (error) {
    if (error instanceof NodeSilent) return { outcome: 'failed', failure: silence };
    throw error;
  }
}

/** Idempotent: a slot that is free already stays free. One request may free several, of creates before it and its own. */
export async function releaseSlot(
  ports: SessionPorts,
  accountId: AccountId,
  sessionId: SessionId,
  context: CommandContext,
): Promise<void> {
  const command = { type: 'ReleaseSlot', accountId, sessionId, at: now(ports) } as const;
  const step = ownedStep(context, accountId, `release-slot ${sessionId}`);
  await ports.runner.run(accountSlots, uuidOf(accountId), command, step);
}

export const isEnded = (state: Session): state is EndedSession =>
  state.status === 'destroyed' || state.status === 'errored';

/** What an end leaves to do, in any order and any number of times: free the slot, close the browser. */
export async function cleanUpEnded(
  ports: SessionPorts,
  state: Session,
  context: CommandContext,
): Promise<void> {
  if (!isEnded(state)) return;
  const { accountId, sessionId } = state;
  await Promise.all([releaseSlot(ports, accountId, sessionId, context), closeBrowser(ports, state)]);
}

export async function closeBrowser(
  { fleet }: SessionPorts,
  { nodeId, sessionId }: EndedSession,
): Promise<void> {
  if (nodeId !== null) await fleet.destroy(nodeId, sessionId);
}

/** Gives back a slot whose session was never requested, or has ended; a live session keeps its slot. */
export async function releaseUnlessLive(
  ports: SessionPorts,
  accountId: AccountId,
  sessionId: SessionId,
  context: CommandContext,
): Promise<void> {
  const { state } = await ports.runner.load(session, uuidOf(sessionId));
  if (!isLive(state)) await releaseSlot(ports, accountId, sessionId, context);
}

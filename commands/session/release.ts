import { Refusal, type ProblemSlug } from '../../contracts/problems.ts';
import { uuidOf, type AccountId, type ProfileId, type SessionId } from '../../contracts/ids.ts';
import { accountSlots, type Slot } from '../../domain/account-slots.ts';
import { profile } from '../../domain/profile/profile.ts';
import { session } from '../../domain/session/session.ts';
import { isLive, type EndedSession, type Session } from '../../domain/session/state.ts';
import { after } from '../../domain/kit/time.ts';
import { UnstorableEvent } from '../../infra/event-store/client/failures.ts';
import { now, ownedStep, type CommandContext, type OnAccount } from '../engine/context.ts';
import type { SessionPorts } from './ports.ts';
import type { CommandPorts } from '../engine/runner.ts';

/**
 * Idempotent: a free slot stays free. One request may release several, of earlier creates and its own. `refusal`: why its session
 * was never requested.
 */
async function releaseSlot(
  ports: SessionPorts,
  accountId: AccountId,
  sessionId: SessionId,
  context: CommandContext,
  refusal?: ProblemSlug,
): Promise<void> {
  const slot = { accountId, sessionId, ...(refusal && { refusal }) };
  const command = { type: 'ReleaseSlot', ...slot, at: now(ports) } as const;
  const step = ownedStep(context, accountId, `release-slot ${sessionId}`);
  await ports.runner.run(accountSlots, uuidOf(accountId), command, step);
}

export const isEnded = (state: Session): state is EndedSession =>
  state.status === 'destroyed' || state.status === 'errored';

/** The idempotent clean-up after an end: releases the profile and the slot, and closes the browser concurrently. */
export async function cleanUpEnded(
  ports: SessionPorts,
  state: Session,
  context: CommandContext,
): Promise<void> {
  if (isEnded(state)) await Promise.all([releaseHeld(ports, state, context), closeBrowser(ports, state)]);
}

/**
 * The same, but without waiting for the browser, whose node may not answer for many seconds. If this process dies, the reaction to the
 * end closes it, or the node's next heartbeat.
 */
export async function releaseEnded(
  ports: SessionPorts,
  state: Session,
  context: CommandContext,
): Promise<void> {
  if (!isEnded(state)) return;
  void closeBrowser(ports, state);
  await releaseHeld(ports, state, context);
}

/**
 * Releases the profile, then the slot: no other launch can come between while the slot is held. After a crash before the profile
 * is released, the reaction to the end does it, or the next launch of the profile.
 */
export async function releaseHeld(
  ports: SessionPorts,
  state: EndedSession,
  context: CommandContext,
): Promise<void> {
  await letGoOfProfile(ports, state, context);
  await releaseSlot(ports, state.accountId, state.sessionId, context);
}

/** Releases the profile. A session that ended regularly saves its state first; any other saves nothing. */
export async function letGoOfProfile(
  ports: Pick<SessionPorts, 'runner' | 'clock' | 'limits'>,
  { accountId, sessionId, profileId, status, readyAt }: EndedSession,
  context: CommandContext,
): Promise<void> {
  if (profileId === null) return;
  if (status === 'errored' || readyAt === null)
    return releaseProfile(ports, { accountId, sessionId, profileId }, context);
  const at = now(ports);
  const leaseExpiresAt = after(at, ports.limits.saveLeaseMs);
  const command = { type: 'StartSave', sessionId, leaseExpiresAt, at } as const;
  const step = ownedStep(context, accountId, `save-profile ${sessionId}`);
  await ports.runner.run(profile, uuidOf(profileId), command, step);
}

interface BoundProfile {
  readonly accountId: AccountId;
  readonly sessionId: SessionId;
  readonly profileId: ProfileId;
}

async function releaseProfile(
  ports: CommandPorts,
  { accountId, sessionId, profileId }: BoundProfile,
  context: CommandContext,
): Promise<void> {
  const command = { type: 'ReleaseProfile', sessionId, at: now(ports) } as const;
  const step = ownedStep(context, accountId, `release-profile ${sessionId}`);
  await ports.runner.run(profile, uuidOf(profileId), command, step);
}

export async function closeBrowser(
  { fleet }: SessionPorts,
  { nodeId, sessionId }: EndedSession,
): Promise<void> {
  if (nodeId !== null) await fleet.destroy(nodeId, sessionId);
}

/** The slot held for the session. */
export async function slotOf(
  { runner }: SessionPorts,
  accountId: AccountId,
  sessionId: SessionId,
): Promise<Slot | undefined> {
  const { state } = await runner.load(accountSlots, uuidOf(accountId));
  return state.slots.find((slot) => slot.sessionId === sessionId);
}

interface Held {
  readonly profileId?: ProfileId | null | undefined;
  readonly refusal?: ProblemSlug;
}

/**
 * Releases the profile and the slot of a session that was never requested, or has ended; a live session keeps them. `profileId`:
 * the profile that it may be bound to; default: the one named by its slot. `refusal`: of its create.
 */
export async function releaseUnlessLive(
  ports: SessionPorts,
  accountId: AccountId,
  sessionId: SessionId,
  context: CommandContext,
  { profileId, refusal }: Held = {},
): Promise<void> {
  const { state } = await ports.runner.load(session, uuidOf(sessionId));
  if (isLive(state)) return;
  if (isEnded(state)) return releaseHeld(ports, state, context);
  const bound = profileId === undefined ? (await slotOf(ports, accountId, sessionId))?.profileId : profileId;
  if (bound) await releaseProfile(ports, { accountId, sessionId, profileId: bound }, context);
  await releaseSlot(ports, accountId, sessionId, context, refusal);
}

/** The slot of a session, and the profile that it is started with. */
export type Holding = Pick<Slot, 'sessionId' | 'profileId'>;

/**
 * Runs a step before the session is requested, or its request. Releases the slot and the profile after an error, which is rethrown: after a
 * refusal and an event that the store cannot take, or, if the step records nothing, always. What cannot be released is held until the lease
 * of the slot ends.
 */
export async function orRelease<T>(
  ports: SessionPorts,
  { accountId, context }: OnAccount,
  { sessionId, profileId }: Holding,
  step: () => Promise<T>,
  when: 'without effect' | 'always' = 'without effect',
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const refusal = finalRefusal(error);
    const held = { profileId, ...(refusal && { refusal }) };
    if (refusal !== undefined || when === 'always')
      await releaseUnlessLive(ports, accountId, sessionId, context, held).catch((err: unknown) =>
        ports.logger.warn({ err, session: sessionId }, 'The slot of a refused session was not released.'),
      );
    throw error;
  }
}

/** The slug of an error after which a step has certainly had no effect; undefined for any other. */
const finalRefusal = (error: unknown): ProblemSlug | undefined => {
  if (error instanceof Refusal) return error.slug;
  return error instanceof UnstorableEvent ? 'internal' : undefined;
};

import { parseId, uuidOf, type ProfileId, type SessionId } from '../../contracts/ids.ts';
import { Refusal, refuse } from '../../contracts/problems.ts';
import { profile, assertFree } from '../../domain/profile/profile.ts';
import type { ActiveProfile } from '../../domain/profile/state.ts';
import { session } from '../../domain/session/session.ts';
import { isLive } from '../../domain/session/state.ts';
import { now, ownedStep, stepContext, type OnAccount } from '../engine/context.ts';
import { find } from '../profile/find.ts';
import { isEnded, releaseEnded, slotOf } from './release.ts';
import { withdraw } from './end.ts';
import type { SessionPorts } from './ports.ts';

/** Polling interval for a profile that is being saved, in milliseconds. */
const lookMs = 100;

/**
 * The profile once no session has it. Waits while it is being saved; throws `profile-in-use` after that, and at once while its
 * session lives.
 */
export async function untilFree(
  ports: SessionPorts,
  caller: OnAccount,
  profileId: ProfileId,
): Promise<ActiveProfile> {
  const { clock, limits, pause } = ports;
  const giveUpAt = clock.now().getTime() + limits.profileWaitMs;
  const never = new AbortController().signal;
  for (;;) {
    const found = await find(ports, caller.accountId, profileId);
    const { use } = found;
    if (use.kind === 'free') return found;
    if (use.kind === 'live') {
      if (!(await finishEnd(ports, caller, use.sessionId, profileId))) return assertFree(found);
      continue;
    }
    const at = clock.now().getTime();
    if (at >= Date.parse(use.leaseExpiresAt)) await expireSave(ports, caller, found);
    else if (at >= giveUpAt) return assertFree(found);
    else await pause(lookMs, never);
  }
}

/** Has the effect of the lease's timer, in case its wake-up is late. */
function expireSave(ports: SessionPorts, { context }: OnAccount, { profileId, accountId }: ActiveProfile) {
  const step = ownedStep(context, accountId, 'expire-save');
  return ports.runner.run(profile, uuidOf(profileId), { type: 'ExpireSave', at: now(ports) }, step);
}

/**
 * Completes the clean-up of a session that has ended, or was never created, and still has the profile: the responsible process
 * died or is slow. Returns false for a live session, and for one whose request may still be running. Has the node close its
 * browser and save its state, without waiting.
 */
export async function finishEnd(
  ports: SessionPorts,
  { accountId, context }: Pick<OnAccount, 'accountId' | 'context'>,
  holder: SessionId,
  profileId: ProfileId,
): Promise<boolean> {
  const { state } = await ports.runner.load(session, uuidOf(holder));
  if (isLive(state)) return false;
  const step = stepContext(context, `finish ${holder}`);
  if (isEnded(state)) {
    await releaseEnded(ports, state, step);
    return true;
  }
  // Its request or the lease of its slot releases the profile; without a slot neither will.
  if ((await slotOf(ports, accountId, holder)) !== undefined) return false;
  await withdraw(ports, { accountId, context: step }, holder, profileId);
  return true;
}

/** Decides which of several launches gets the profile, and that it still belongs to the account. */
export async function bindProfile(
  ports: SessionPorts,
  { accountId: owner, context }: OnAccount,
  sessionId: SessionId,
  profileId: ProfileId,
): Promise<ActiveProfile> {
  const command = { type: 'BindProfile', sessionId, owner, at: now(ports) } as const;
  const step = stepContext(context, 'bind-profile');
  const { state } = await ports.runner.run(profile, uuidOf(profileId), command, step);
  if (state.status === 'active') return state;
  throw refuse('not-found');
}

/** The session that a refusal names as the profile's holder. */
export function holderIn(error: unknown): SessionId | undefined {
  if (!(error instanceof Refusal) || error.slug !== 'profile-in-use') return undefined;
  return parseId('session', String(error.extensions.active_session_id));
}

import type { ProxyFailure } from '../../contracts/events/proxy.ts';
import type { CreateOutcome, DispatchFailure, DispatchedProfile } from '../../contracts/fleet/protocol.ts';
import { uuidOf, type NodeId, type ProfileId, type SessionId } from '../../contracts/ids.ts';
import { sessionErrors, type SessionErrorName } from '../../contracts/operations.ts';
import { refuse, refuseForNow, type ProblemSlug } from '../../contracts/problems.ts';
import type { Geolocation } from '../../contracts/resources/agent-session.ts';
import type { DialledProxy } from '../../contracts/resources/proxy.ts';
import { presentIdle } from '../../contracts/resources/idle-timeout.ts';
import type { CreateSession, Session as SessionBody } from '../../contracts/resources/session.ts';
import { tierLimits } from '../../contracts/tiers.ts';
import { accountSlots } from '../../domain/account-slots.ts';
import type { ActiveProfile } from '../../domain/profile/state.ts';
import { session, type SessionCommand } from '../../domain/session/session.ts';
import type { ExistingSession, Recorded, Session } from '../../domain/session/state.ts';
import { idleAfter } from '../engine/idle-timeout.ts';
import { after } from '../../domain/kit/time.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { now, stepContext, type OnAccount } from '../engine/context.ts';
import { archetypeIn } from '../profile/archetype.ts';
import { find } from '../profile/find.ts';
import { storageWarnings } from '../profile/storage.ts';
import type { Outcome } from '../receipt/index.ts';
import { answerOf } from './node-answer.ts';
import type { SessionPorts } from './ports.ts';
import { bindProfile, finishEnd, holderIn, untilFree } from './profile.ts';
import { orRelease, releaseEnded, type Holding } from './release.ts';

/** Options of internal callers beside the request's body. */
export interface CreateOptions {
  /** Geolocation reported to pages; default: none. */
  readonly geolocation?: Geolocation | undefined;
}

interface Created {
  readonly session: SessionBody;
  readonly position: Position | undefined;
}

/**
 * Waits for a profile that is being saved, reserves a slot, binds the profile if one is named, records the request, has a node
 * start the browser and returns once it is ready.
 *
 * A crash between two steps ends as follows, and never starts two browsers:
 * - after the slot was reserved: its lease expires, no session is found, and the slot is released;
 * - after `ProfileBound`: the same; the profile that the slot names is released before it. Until then both are held;
 * - after `SessionRequested`, before or after the node got the command: the creation lease expires, the session is errored, and
 *   the reaction to that end releases the profile and the slot, and has the node close what it may have started;
 * - after `SessionReady`: the session is ready, and a retry with the same key is answered from its stream;
 * - after an end but before its clean-up: the reaction to the end does the clean-up, or the next launch of the same profile.
 *
 * The session is not requested once half of the slot's lease has passed, so the lease cannot expire during the append. A profile
 * bound that late is released at once or, after a crash, by the next launch. `sessionId` is chosen on admission, so that a retry
 * finds its outcome by `describe`.
 */
export async function create(
  ports: SessionPorts,
  caller: OnAccount,
  sessionId: SessionId,
  body: CreateSession,
  { geolocation }: CreateOptions = {},
): Promise<Created> {
  const { proxy_id, profile_id } = body;
  const proxy = proxy_id === undefined ? undefined : await ports.proxies.open(caller.accountId, proxy_id);
  const named = profile_id === undefined ? undefined : await find(ports, caller.accountId, profile_id);
  const archetype = archetypeIn(ports.archetypes, body.archetype ?? named?.archetype);
  const warnings = named === undefined ? [] : await admitProfile(ports, caller, named.profileId);
  const holding = { sessionId, profileId: named?.profileId ?? null };
  const dispatchId = uuidOf(sessionId);
  const { nodeId, profile } = await hold(ports, caller, holding, proxy);
  const chosen = { sessionId, nodeId, dispatchId, archetype, profile };
  await orRelease(ports, caller, holding, () => requestSession(ports, caller, body, chosen));
  // If the node does not answer in time, whatever it started is closed later.
  const dispatch = { session_id: sessionId, dispatch_id: dispatchId, archetype };
  const brought = { ...asked({ proxy, geolocation }), ...(profile && { profile: dispatched(profile) }) };
  const call = { account: caller.accountId, deadlineMs: ports.limits.creationDeadlineMs };
  const outcome = await answerOf(ports.fleet.create(nodeId, { ...dispatch, ...brought }, call));
  if (outcome.outcome === 'failed') {
    ports.logger.warn({ session: sessionId, node: nodeId, outcome }, 'A browser did not start.');
  }
  const warned = withWarnings(outcome, warnings);
  return settle(ports, caller, sessionId, settlement(warned, dispatchId, now(ports)));
}

/** Waits until the profile is free, and returns the warnings of the launch. */
async function admitProfile(
  ports: SessionPorts,
  caller: OnAccount,
  profileId: ProfileId,
): Promise<readonly string[]> {
  await untilFree(ports, caller, profileId);
  return storageWarnings(ports.runner, caller);
}

/**
 * Acquires everything that a session needs before it is requested, and releases all of it if a part fails. Only if it is unknown whether the
 * profile was bound, both are kept until the lease of the slot ends.
 */
async function hold(
  ports: SessionPorts,
  caller: OnAccount,
  holding: Holding,
  proxy: DialledProxy | undefined,
): Promise<{ readonly nodeId: NodeId; readonly profile: ActiveProfile | null }> {
  const { sessionId, profileId } = holding;
  const slotHeldUntil = await reserveSlot(ports, caller, holding);
  const place = async () => {
    if (proxy !== undefined) await tryProxy(ports, proxy);
    return ports.fleet.place();
  };
  const nodeId = await orRelease(ports, caller, { sessionId, profileId: null }, place, 'always');
  return orRelease(ports, caller, holding, async () => {
    const profile = profileId && nodeId ? await bindProfile(ports, caller, sessionId, profileId) : null;
    const remainingMs = slotHeldUntil - ports.clock.now().getTime();
    if (nodeId !== undefined && remainingMs >= ports.limits.slotLeaseMs / 2) return { nodeId, profile };
    throw refuseForNow('driver-not-integrated', 'No browser node accepts new sessions now. Try again later.');
  });
}

/** The requested session. */
const asked = ({ proxy, geolocation }: CreateOptions & { readonly proxy: DialledProxy | undefined }) => ({
  ...(proxy && { proxy }),
  ...(geolocation && { geolocation }),
});

/** A launch whose browser starts with the state of the profile's generation at its binding. */
const dispatched = ({ profileId, state, noiseSeed }: ActiveProfile): DispatchedProfile => ({
  profile_id: profileId,
  has_state: state !== null,
  noise_seed: noiseSeed,
});

/** Refuses a proxy through which no request succeeds. */
async function tryProxy({ proxies }: SessionPorts, proxy: DialledProxy): Promise<void> {
  const reason = await proxies.probe(proxy);
  if (reason !== null) throw refuse('proxy-validation-failed', proxyProblems[reason], { reason });
}

const proxyProblems: Record<ProxyFailure, string> = {
  unreachable: 'The proxy cannot be reached.',
  auth_failed: 'The proxy rejects the user name and password.',
  timeout: 'No answer came through the proxy in time.',
  egress_blocked:
    'The address of the proxy is not allowed, or the proxy refuses to connect to the test address.',
};

/**
 * Reserves the slot. Returns until when it is certainly held, in milliseconds since the epoch; an earlier attempt may have
 * reserved it.
 */
async function reserveSlot(
  { runner, ...ports }: SessionPorts,
  caller: OnAccount,
  { sessionId, profileId }: Holding,
): Promise<number> {
  const { accountId, concurrentSessions: limit, context } = caller;
  const reserve = async () => {
    const at = now(ports);
    const leaseExpiresAt = after(at, ports.limits.slotLeaseMs);
    const slot = { accountId, sessionId, profileId, limit, leaseExpiresAt };
    const command = { type: 'ReserveSlot', ...slot, at } as const;
    const { state } = await runner.run(accountSlots, uuidOf(accountId), command, step);
    const held = state.slots.find((each) => each.sessionId === sessionId);
    return Date.parse(held?.leaseExpiresAt ?? at);
  };
  const step = stepContext(context, 'reserve-slot');
  try {
    return await reserve();
  } catch (error) {
    // The profile is free, but its previous session may still hold its slot.
    const holder = holderIn(error);
    if (holder === undefined || profileId === null) throw error;
    if (!(await finishEnd({ runner, ...ports }, caller, holder, profileId))) throw error;
    return reserve();
  }
}

async function requestSession(
  ports: SessionPorts,
  caller: OnAccount,
  body: CreateSession,
  {
    profile,
    ...chosen
  }: Pick<Recorded<'SessionRequested'>, 'sessionId' | 'nodeId' | 'dispatchId' | 'archetype'> & {
    readonly profile: ActiveProfile | null;
  },
): Promise<void> {
  const { creationLeaseMs, freeSessionMs } = ports.limits;
  const { accountId, tier, context } = caller;
  const at = now(ports);
  const command = {
    type: 'RequestSession',
    request: {
      ...chosen,
      accountId,
      tier,
      profileId: profile?.profileId ?? null,
      label: body.label ?? null,
      metadata: {
        ...body.metadata,
        ...(profile && { profile_id: profile.profileId, profile_name: profile.name }),
      },
      leaseExpiresAt: after(at, creationLeaseMs),
      expiresAt: tierLimits[tier].sessionsExpire ? after(at, freeSessionMs) : null,
      ...idleAfter(body, at),
      at,
    },
  } as const;
  const step = stepContext(context, 'request-session');
  await ports.runner.run(session, uuidOf(chosen.sessionId), command, step, { create: true });
}

/** The error of a session whose browser did not start, by the node's reason. None of them is retried. */
const creationErrors: Record<DispatchFailure['kind'], SessionErrorName> = {
  page: 'DriverError',
  timeout: 'SessionTimeoutError',
  unsupported: 'DriverNotIntegratedError',
  unavailable: 'DriverNotIntegratedError',
  driver: 'DriverError',
  silent: 'SessionTimeoutError',
};

const creationProblems: Record<SessionErrorName, ProblemSlug> = {
  SessionTimeoutError: 'session-timeout',
  DriverError: 'driver-error',
  DriverNotIntegratedError: 'driver-not-integrated',
  UnknownError: 'driver-error',
};

const settlement = (outcome: CreateOutcome, dispatchId: string, at: string): SessionCommand =>
  outcome.outcome === 'failed'
    ? { type: 'FailCreation', dispatchId, errorName: creationErrors[outcome.failure.kind], at }
    : { type: 'CompleteCreation', dispatchId, egress: outcome.egress_capabilities, at };

const withWarnings = (outcome: CreateOutcome, warnings: readonly string[]): CreateOutcome => {
  if (outcome.outcome === 'failed' || outcome.egress_capabilities === null) return outcome;
  const { egress_capabilities: egress } = outcome;
  return { ...outcome, egress_capabilities: { ...egress, warnings: [...egress.warnings, ...warnings] } };
};

/** The stream decides: a DELETE or the lease may have ended the session while its browser started. */
async function settle(
  ports: SessionPorts,
  { context }: OnAccount,
  sessionId: SessionId,
  command: SessionCommand,
): Promise<Created> {
  const step = stepContext(context, 'settle-creation');
  const { state, position } = await ports.runner.run(session, uuidOf(sessionId), command, step);
  await releaseEnded(ports, state, context);
  const result = resultOf(state);
  if (result.kind === 'created') return { session: result.body, position };
  if (result.kind === 'refused') throw result.refusal;
  throw refuse('internal', 'The creation could not be settled.');
}

/** The outcome of a creation. */
export const describe = async ({ runner }: SessionPorts, sessionId: SessionId) =>
  resultOf((await runner.load(session, uuidOf(sessionId))).state);

/** Derived from the stream. A node may be starting the browser; the creation lease limits how long. */
function resultOf(state: Session): Outcome<SessionBody> {
  if (state.status === 'none') return { kind: 'absent' };
  if (state.status === 'creating') return { kind: 'creating' };
  if (state.readyAt !== null) return { kind: 'created', body: createdBody(state, state.readyAt) };
  if (state.status !== 'errored') return { kind: 'refused', refusal: refuse('session-destroyed') };
  const { errorName } = state;
  return { kind: 'refused', refusal: refuse(creationProblems[errorName], sessionErrors[errorName]) };
}

/** Body of the 201: the detail resource as it was when the session became ready. */
const createdBody = (state: ExistingSession, readyAt: string): SessionBody => ({
  id: state.sessionId,
  account_id: state.accountId,
  archetype: state.archetype,
  status: 'ready',
  label: state.label ?? '',
  metadata: { ...state.metadata },
  profile_id: state.profileId,
  created_at: state.createdAt,
  updated_at: readyAt,
  ready_at: readyAt,
  destroyed_at: null,
  ended_reason: null,
  ...(state.expiresAt === null ? {} : { expires_at: state.expiresAt }),
  ...presentIdle(state.idle?.timeoutMs),
  egress_capabilities: state.egressAtReady,
});

import type { ProxyFailure } from '../../contracts/events/proxy.ts';
import { invalid } from '../../contracts/field-errors.ts';
import type { CreateOutcome, DispatchFailure } from '../../contracts/fleet/protocol.ts';
import { uuidOf, type SessionId } from '../../contracts/ids.ts';
import { sessionErrors, type SessionErrorName } from '../../contracts/operations.ts';
import { refuse, type ProblemSlug } from '../../contracts/problems.ts';
import type { DialledProxy } from '../../contracts/resources/proxy.ts';
import type { CreateSession, Session as SessionBody } from '../../contracts/resources/session.ts';
import { tierLimits } from '../../contracts/tiers.ts';
import { accountSlots } from '../../domain/account-slots.ts';
import { session, type SessionCommand } from '../../domain/session/session.ts';
import type { ExistingSession, Recorded, Session } from '../../domain/session/state.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { now, stepContext, type Caller } from '../engine/context.ts';
import type { Outcome } from '../receipt/index.ts';
import { answerOf, cleanUpEnded, releaseUnlessLive } from './clean-up.ts';
import type { SessionPorts } from './index.ts';

interface Created {
  readonly session: SessionBody;
  readonly position: Position | undefined;
}

/**
 * Reserves a slot, makes the session durable, has a node start the browser and returns once it is ready.
 *
 * Killed between any two steps it ends as follows, without the browser ever being asked for twice:
 * - after the slot was reserved: the slot's lease runs out, no session is found, the slot is released;
 * - after `SessionRequested`, whether the node was asked or not: the creation lease runs out, the session is errored,
 *   and the reaction to that end frees the slot and tells the node to close what it may have started;
 * - after `SessionReady`: the session is there, ready, and a retry with the same key is answered from its stream;
 * - after an end but before its clean-up: the reaction to the end does the clean-up.
 * The session is not requested once half of the slot's lease is gone, so the lease cannot run out under the append.
 * `sessionId` is fixed by whoever admits the request, so that a retry can ask `describe` what became of it.
 */
export async function create(
  ports: SessionPorts,
  caller: Caller,
  sessionId: SessionId,
  body: CreateSession,
): Promise<Created> {
  const { proxy_id } = body;
  const proxy = proxy_id === undefined ? undefined : await ports.proxies.open(caller.accountId, proxy_id);
  const archetype = admitted(ports, body);
  const slotHeldUntil = await reserveSlot(ports, caller, sessionId);
  if (proxy !== undefined) await tryProxy(ports, caller, sessionId, proxy);
  const nodeId = await ports.fleet.place();
  const remainingMs = slotHeldUntil - ports.clock.now().getTime();
  if (nodeId === undefined || remainingMs < ports.limits.slotLeaseMs / 2) {
    await releaseUnlessLive(ports, caller.accountId, sessionId, caller.context);
    throw refuse('driver-not-integrated', 'No browser node takes new sessions.');
  }
  const dispatchId = uuidOf(sessionId);
  await requestSession(ports, caller, body, { sessionId, nodeId, dispatchId, archetype });
  // Whatever a node that does not answer in time has started is closed afterwards.
  const dispatch = { session_id: sessionId, dispatch_id: dispatchId, archetype, ...(proxy && { proxy }) };
  const deadlineMs = ports.limits.creationDeadlineMs;
  const outcome = await answerOf(ports.fleet.create(nodeId, dispatch, deadlineMs));
  if (outcome.outcome === 'failed') {
    ports.logger.warn({ session: sessionId, node: nodeId, outcome }, 'A browser did not start.');
  }
  return settle(ports, caller, sessionId, settlement(outcome, dispatchId, now(ports)));
}

/** Nothing is left of a creation whose proxy lets nothing through. */
async function tryProxy(
  ports: SessionPorts,
  { accountId, context }: Caller,
  sessionId: SessionId,
  proxy: DialledProxy,
): Promise<void> {
  const reason = await ports.proxies.probe(proxy);
  if (reason === null) return;
  await releaseUnlessLive(ports, accountId, sessionId, context);
  throw refuse('proxy-validation-failed', proxyProblems[reason], { reason });
}

const proxyProblems: Record<ProxyFailure, string> = {
  unreachable: 'The proxy cannot be reached.',
  auth_failed: 'The proxy does not accept its user name and password.',
  timeout: 'Nothing came through the proxy in time.',
  egress_blocked: 'The proxy may not be dialled, or does not connect to where it was tried with.',
};

/** Which identity the session takes. Profiles are not part of the service yet, so none can be found. */
function admitted({ archetypes }: SessionPorts, { profile_id, archetype }: CreateSession): string {
  if (profile_id !== undefined) throw refuse('not-found', 'There is no such profile.');
  const chosen = archetype ?? archetypes.default;
  if (archetypes.archetypes.some(({ id }) => id === chosen)) return chosen;
  const message = 'must be the id of an archetype in the catalogue';
  throw invalid({ path: '/body/archetype', code: 'enum', message });
}

/** Until when the slot is surely held, in milliseconds since the epoch: an earlier attempt may have reserved it. */
async function reserveSlot(
  { runner, clock, limits }: SessionPorts,
  { accountId, concurrentSessions: limit, context }: Caller,
  sessionId: SessionId,
): Promise<number> {
  const time = clock.now();
  const at = time.toISOString();
  const leaseExpiresAt = new Date(time.getTime() + limits.slotLeaseMs).toISOString();
  const slot = { accountId, sessionId, profileId: null, limit, leaseExpiresAt };
  const step = stepContext(context, 'reserve-slot');
  const command = { type: 'ReserveSlot', ...slot, at } as const;
  const { state } = await runner.run(accountSlots, uuidOf(accountId), command, step);
  const held = state.slots.find((each) => each.sessionId === sessionId);
  return Date.parse(held?.leaseExpiresAt ?? at);
}

async function requestSession(
  ports: SessionPorts,
  caller: Caller,
  body: CreateSession,
  chosen: Pick<Recorded<'SessionRequested'>, 'sessionId' | 'nodeId' | 'dispatchId' | 'archetype'>,
): Promise<void> {
  const { creationLeaseMs, freeSessionMs } = ports.limits;
  const { accountId, tier, context } = caller;
  const time = ports.clock.now();
  const inMs = (duration: number): string => new Date(time.getTime() + duration).toISOString();
  const command = {
    type: 'RequestSession',
    request: {
      ...chosen,
      accountId,
      tier,
      profileId: null,
      label: body.label ?? null,
      metadata: body.metadata ?? {},
      leaseExpiresAt: inMs(creationLeaseMs),
      expiresAt: tierLimits[tier].sessionsExpire ? inMs(freeSessionMs) : null,
      at: time.toISOString(),
    },
  } as const;
  const step = stepContext(context, 'request-session');
  await ports.runner.run(session, uuidOf(chosen.sessionId), command, step, { create: true });
}

/** A browser that does not start has failed for good, whatever the node's reason (decision 5). */
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

/** The stream has the last word: a DELETE or the lease may have ended the session while its browser started. */
async function settle(
  ports: SessionPorts,
  { context }: Caller,
  sessionId: SessionId,
  command: SessionCommand,
): Promise<Created> {
  const step = stepContext(context, 'settle-creation');
  const { state, position } = await ports.runner.run(session, uuidOf(sessionId), command, step);
  await cleanUpEnded(ports, state, context);
  const result = resultOf(state);
  if (result.kind === 'created') return { session: result.body, position };
  if (result.kind === 'refused') throw result.refusal;
  throw refuse('internal', 'The creation could not be settled.');
}

/** What became of a creation. */
export const describe = async ({ runner }: SessionPorts, sessionId: SessionId) =>
  resultOf((await runner.load(session, uuidOf(sessionId))).state);

/** Read off the stream. A node may be starting the browser; the creation lease bounds how long. */
function resultOf(state: Session): Outcome<SessionBody> {
  if (state.status === 'none') return { kind: 'absent' };
  if (state.status === 'creating') return { kind: 'creating' };
  if (state.readyAt !== null) return { kind: 'created', body: createdBody(state, state.readyAt) };
  if (state.status !== 'errored') return { kind: 'refused', refusal: refuse('session-destroyed') };
  const { errorName } = state;
  return { kind: 'refused', refusal: refuse(creationProblems[errorName], sessionErrors[errorName]) };
}

/** The body of the 201, as the session stood the moment it became ready. */
const createdBody = (state: ExistingSession, readyAt: string): SessionBody => ({
  id: state.sessionId,
  account_id: state.accountId,
  archetype: state.archetype,
  status: 'ready',
  label: state.label ?? '',
  metadata: { ...state.metadata },
  profile_id: null,
  created_at: state.createdAt,
  updated_at: readyAt,
  ready_at: readyAt,
  destroyed_at: null,
  ended_reason: null,
  ...(state.expiresAt === null ? {} : { expires_at: state.expiresAt }),
});

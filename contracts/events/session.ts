import { Type, Timestamp, closed, nullable, oneOf } from '../schema.ts';
import { idSchema } from '../ids.ts';
import {
  EgressCapabilities,
  OperationName,
  failedOperations,
  failureCategories,
  sessionErrorNames,
  sessionErrors,
  type Operation,
} from '../operations.ts';
import { tiers } from '../tiers.ts';
import { Challenge } from '../webhooks/envelope.ts';
import { autoDestroyReasons, profileSaveFailures } from '../webhooks/event-types.ts';
import { IdleTimeout, category, entryOn, timersOn, type EventOf } from './catalogue.ts';

const of = { sessionId: idSchema('session'), at: Timestamp };
const ofReport = { ...of, reportId: Type.String() };
const claim = { operation: OperationName, dispatchId: Type.String(), epoch: Type.Integer({ minimum: 1 }) };
const durationMs = Type.Integer({ minimum: 0 });
const entry = entryOn('session');
const timer = timersOn('sessionId');

const auditedOperations: Record<Operation, string> = {
  navigate: 'session.navigated',
  interact: 'session.interacted',
  wait: 'session.waited',
  state_capture: 'session.state_read',
  capture: 'session.captured',
  extract: 'session.extracted',
  search: 'session.searched',
  login: 'session.logged_in',
};

/**
 * Absent if the customer requested the end: receivers test whether the fields are present. An end by an idle timeout or by an agent
 * session has no reason here, because the contract has a closed list of two.
 */
const automatic = (cause: 'customer' | 'idle' | 'agent_session' | keyof typeof autoDestroyReasons) => {
  if (cause === 'customer') return {};
  const hasReason = cause !== 'idle' && cause !== 'agent_session';
  return { auto_destroyed: true as const, ...(hasReason && { reason: autoDestroyReasons[cause] }) };
};

/** `session-<uuid>`: one browser from its durable reservation to its end. */
export const sessionEvents = category(
  'session',
  {
    /** The reservation is durable; a node was chosen and may be asked, once, to start the browser. */
    SessionRequested: closed({
      ...of,
      accountId: idSchema('account'),
      archetype: Type.String(),
      profileId: nullable(idSchema('profile')),
      label: nullable(Type.String()),
      metadata: Type.Record(Type.String(), Type.Unknown()),
      tier: oneOf(tiers),
      nodeId: nullable(idSchema('node')),
      dispatchId: Type.String(),
      /** When an unsettled creation counts as failed. */
      leaseExpiresAt: Timestamp,
      /** When the session expires; null for tiers without a duration cap. */
      expiresAt: nullable(Timestamp),
      idle: IdleTimeout,
    }),
    /** Not requested in time, and never can be: its reservations may be released. */
    SessionWithdrawn: closed(of),
    SessionReady: closed(of),
    /** One caller claimed the browser. Only a settle with the same dispatch and epoch ends the claim. */
    OperationClaimed: closed({ ...of, ...claim }),
    OperationSettled: closed({
      ...{ ...of, ...claim },
      outcome: oneOf(['succeeded', 'failed']),
      /** The page-level reason of a failure that does not end the session. */
      failureCategory: nullable(oneOf(failureCategories)),
      durationMs,
    }),
    SessionErrored: closed({
      ...of,
      operation: oneOf(failedOperations),
      errorName: oneOf(sessionErrorNames),
      reason: oneOf(['creation_failed', 'lease_expired', 'driver_failure', 'driver_silent', 'node_lost']),
      durationMs,
    }),
    SessionDestroyed: closed({
      ...of,
      /** `agent_session`: the agent session that started it lost a turn, used up its budget or gave up the start. */
      cause: oneOf(['customer', 'duration_cap', 'suspension', 'idle', 'agent_session']),
      durationMs,
    }),
    /** Its duration cap was due when its account had a tier without one. */
    DurationCapLifted: closed(of),
    /** Its idle timeout was due, after activity. One per due timeout, none per activity. */
    IdleTimeoutExtended: closed({ ...of, usedAt: Timestamp, dueAt: Timestamp }),
    EgressCapabilitiesReported: closed({ ...ofReport, capabilities: EgressCapabilities }),
    ChallengeDetected: closed({ ...ofReport, challengeId: Type.String(), challenge: Challenge }),
    /** The session's state was not saved into its profile, which keeps its stored state. */
    ProfileSaveFailed: closed({
      ...ofReport,
      profileId: idSchema('profile'),
      reason: oneOf(profileSaveFailures),
      detail: Type.String(),
    }),
  },
  {
    versions: { SessionRequested: 2 },
    personal: { SessionRequested: { label: null, metadata: {} } },
    audit: {
      SessionRequested: ({ sessionId: id, archetype, label }) =>
        entry('session.created', id, { archetype, label }),
      OperationSettled: ({ sessionId: id, operation, outcome, failureCategory, durationMs }) =>
        entry(auditedOperations[operation], id, {
          outcome,
          failure_category: failureCategory,
          duration_ms: durationMs,
        }),
      SessionErrored: ({ sessionId: id, operation, errorName, reason, durationMs }) => ({
        ...entry('session.errored', id, {
          operation,
          error_name: errorName,
          reason,
          duration_ms: durationMs,
        }),
        bySystem: true,
      }),
      SessionDestroyed: ({ sessionId: id, cause, durationMs }) =>
        entry('session.destroyed', id, { reason: cause, duration_ms: durationMs }),
    },
    announced: {
      SessionDestroyed: ({ sessionId: id, durationMs, cause, at }) => ({
        type: 'session.completed',
        created_at: at,
        data: { session_id: id, duration_ms: durationMs, ...automatic(cause) },
      }),
      SessionErrored: ({ sessionId: id, durationMs, operation, errorName, at }) => ({
        type: 'session.failed',
        created_at: at,
        data: {
          session_id: id,
          duration_ms: durationMs,
          operation,
          error_name: errorName,
          error_message: sessionErrors[errorName],
        },
      }),
      EgressCapabilitiesReported: ({ sessionId: id, capabilities, at }) => ({
        type: 'session.egress_capability_changed',
        created_at: at,
        data: { session_id: id, egress_capabilities: capabilities },
      }),
      ChallengeDetected: ({ sessionId: id, challengeId, challenge, at }) => ({
        type: 'session.challenge_detected',
        created_at: at,
        data: { session_id: id, challenge_id: challengeId, challenge },
      }),
      ProfileSaveFailed: ({ sessionId: id, profileId, reason, detail, at }) => ({
        type: 'session.profile_save_failed',
        created_at: at,
        data: { session_id: id, profile_id: profileId, reason, detail },
      }),
    },
    timers: {
      SessionRequested: (data) => ({
        subject: data.sessionId,
        starts: {
          creation_lease: data.leaseExpiresAt,
          duration_cap: data.expiresAt,
          session_idle: data.idle?.dueAt ?? null,
        },
        ends: ['slot_lease'],
      }),
      SessionReady: timer.ends('creation_lease'),
      DurationCapLifted: timer.ends('duration_cap'),
      IdleTimeoutExtended: timer.starts('session_idle', 'dueAt'),
      SessionErrored: timer.ends('creation_lease', 'duration_cap', 'session_idle'),
      SessionDestroyed: timer.ends('creation_lease', 'duration_cap', 'session_idle'),
    },
  },
);
export type SessionEvent = EventOf<typeof sessionEvents>;

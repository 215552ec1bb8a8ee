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
import { category, type EventOf } from './catalogue.ts';

const sessionId = idSchema('session');

const auditTarget = (id: string) => ({ type: 'session', id });

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

/** A destroy that the customer asked for says nothing of its reason: receivers test presence. */
const automatic = (cause: 'customer' | keyof typeof autoDestroyReasons) =>
  cause === 'customer' ? {} : { auto_destroyed: true as const, reason: autoDestroyReasons[cause] };

/** `session-<uuid>`: one browser from its durable reservation to its end. */
export const sessionEvents = category(
  'session',
  {
    /** The reservation is durable; a node was chosen and may be asked, once, to start the browser. */
    SessionRequested: closed({
      sessionId,
      accountId: idSchema('account'),
      archetype: Type.String(),
      label: nullable(Type.String()),
      metadata: Type.Record(Type.String(), Type.Unknown()),
      tier: oneOf(tiers),
      nodeId: nullable(idSchema('node')),
      dispatchId: Type.String(),
      /** When a creation that was never settled counts as failed. */
      leaseExpiresAt: Timestamp,
      /** When the session ends on its own; null for tiers without a duration cap. */
      expiresAt: nullable(Timestamp),
      at: Timestamp,
    }),
    /** Whoever set out to request the session was given up: what was held for it goes back, and it never will be one. */
    SessionWithdrawn: closed({ sessionId, at: Timestamp }),
    SessionReady: closed({ sessionId, at: Timestamp }),
    /** One caller won the browser. Only a settle with the same dispatch and epoch can end the claim. */
    OperationClaimed: closed({
      sessionId,
      operation: OperationName,
      dispatchId: Type.String(),
      epoch: Type.Integer({ minimum: 1 }),
      at: Timestamp,
    }),
    OperationSettled: closed({
      sessionId,
      operation: OperationName,
      dispatchId: Type.String(),
      epoch: Type.Integer({ minimum: 1 }),
      outcome: oneOf(['succeeded', 'failed']),
      /** The page-level reason of a failure the session survives. */
      failureCategory: nullable(oneOf(failureCategories)),
      durationMs: Type.Integer({ minimum: 0 }),
      at: Timestamp,
    }),
    SessionErrored: closed({
      sessionId,
      operation: oneOf(failedOperations),
      errorName: oneOf(sessionErrorNames),
      reason: oneOf(['creation_failed', 'lease_expired', 'driver_failure', 'driver_silent', 'node_lost']),
      durationMs: Type.Integer({ minimum: 0 }),
      at: Timestamp,
    }),
    SessionDestroyed: closed({
      sessionId,
      cause: oneOf(['customer', 'duration_cap', 'suspension']),
      durationMs: Type.Integer({ minimum: 0 }),
      at: Timestamp,
    }),
    EgressCapabilitiesReported: closed({
      sessionId,
      reportId: Type.String(),
      capabilities: EgressCapabilities,
      at: Timestamp,
    }),
    ChallengeDetected: closed({
      sessionId,
      reportId: Type.String(),
      challengeId: Type.String(),
      challenge: Challenge,
      at: Timestamp,
    }),
    /** What the session would have saved into its profile did not replace what is stored. */
    ProfileSaveFailed: closed({
      sessionId,
      reportId: Type.String(),
      profileId: idSchema('profile'),
      reason: oneOf(profileSaveFailures),
      detail: Type.String(),
      at: Timestamp,
    }),
  },
  {
    audit: {
      SessionRequested: (data) => ({
        action: 'session.created',
        target: auditTarget(data.sessionId),
        payload: { archetype: data.archetype, label: data.label },
      }),
      OperationSettled: (data) => ({
        action: auditedOperations[data.operation],
        target: auditTarget(data.sessionId),
        payload: {
          outcome: data.outcome,
          failure_category: data.failureCategory,
          duration_ms: data.durationMs,
        },
      }),
      SessionErrored: (data) => ({
        action: 'session.errored',
        target: auditTarget(data.sessionId),
        payload: {
          operation: data.operation,
          error_name: data.errorName,
          reason: data.reason,
          duration_ms: data.durationMs,
        },
        bySystem: true,
      }),
      SessionDestroyed: (data) => ({
        action: 'session.destroyed',
        target: auditTarget(data.sessionId),
        payload: { reason: data.cause, duration_ms: data.durationMs },
      }),
    },
    announced: {
      SessionDestroyed: (data) => ({
        type: 'session.completed',
        created_at: data.at,
        data: { session_id: data.sessionId, duration_ms: data.durationMs, ...automatic(data.cause) },
      }),
      SessionErrored: (data) => ({
        type: 'session.failed',
        created_at: data.at,
        data: {
          session_id: data.sessionId,
          duration_ms: data.durationMs,
          operation: data.operation,
          error_name: data.errorName,
          error_message: sessionErrors[data.errorName],
        },
      }),
      EgressCapabilitiesReported: (data) => ({
        type: 'session.egress_capability_changed',
        created_at: data.at,
        data: { session_id: data.sessionId, egress_capabilities: data.capabilities },
      }),
      ChallengeDetected: (data) => ({
        type: 'session.challenge_detected',
        created_at: data.at,
        data: { session_id: data.sessionId, challenge_id: data.challengeId, challenge: data.challenge },
      }),
      ProfileSaveFailed: (data) => ({
        type: 'session.profile_save_failed',
        created_at: data.at,
        data: {
          session_id: data.sessionId,
          profile_id: data.profileId,
          reason: data.reason,
          detail: data.detail,
        },
      }),
    },
    timers: {
      SessionRequested: (data) => ({
        subject: data.sessionId,
        starts: { creation_lease: data.leaseExpiresAt, duration_cap: data.expiresAt },
        ends: ['slot_lease'],
      }),
      SessionReady: (data) => ({ subject: data.sessionId, ends: ['creation_lease'] }),
      SessionErrored: (data) => ({ subject: data.sessionId, ends: ['creation_lease', 'duration_cap'] }),
      SessionDestroyed: (data) => ({ subject: data.sessionId, ends: ['creation_lease', 'duration_cap'] }),
    },
  },
);
export type SessionEvent = EventOf<typeof sessionEvents>;

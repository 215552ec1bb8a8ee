import { Type, Timestamp, closed, nullable, oneOf } from '../schema.ts';
import { idSchema } from '../ids.ts';
import {
  EgressCapabilities,
  OperationName,
  failedOperations,
  failureCategories,
  sessionErrorNames,
} from '../operations.ts';
import { tiers } from '../tiers.ts';
import { Challenge } from '../webhooks/envelope.ts';
import { profileSaveFailures } from '../webhooks/event-types.ts';
import { category, type EventOf } from './catalogue.ts';

const sessionId = idSchema('session');

/** `session-<uuid>`: one browser from its durable reservation to its end. */
export const sessionEvents = category('session', {
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
});
export type SessionEvent = EventOf<typeof sessionEvents>;

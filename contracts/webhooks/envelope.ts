import { v5 as uuidv5 } from 'uuid';
import { Type, Timestamp, closed, oneOf, taggedUnion, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { EgressCapabilities, failedOperations, sessionErrorNames } from '../operations.ts';
import {
  autoDestroyReasons,
  challengeTypes,
  orderFailures,
  profileSaveFailures,
  type WebhookEventType,
} from './event-types.ts';

const sessionId = idSchema('session');
const durationMs = Type.Integer({ minimum: 0 });

export const Challenge = closed({
  type: oneOf(challengeTypes),
  /** From 0 to 1. */
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  detail: Type.String({ maxLength: 1000 }),
});
export type Challenge = Static<typeof Challenge>;

const envelope = <const T extends WebhookEventType, P extends Parameters<typeof Type.Object>[0]>(
  type: T,
  data: P,
) =>
  closed({
    /** The same in every attempt, retry and replay, so that receivers can deduplicate. */
    id: Type.String({ format: 'uuid' }),
    type: Type.Literal(type),
    created_at: Timestamp,
    data: closed(data),
  });

const order = {
  order_id: idSchema('order'),
  product: Type.String(),
  price_cents: Type.Integer({ minimum: 0 }),
  price_currency: Type.String(),
  payment_id: Type.String(),
};

/** The payloads, by event type. */
export const envelopes = {
  'session.completed': envelope('session.completed', {
    session_id: sessionId,
    duration_ms: durationMs,
    /** Present, like `reason`, only if the end was not requested: test for presence. */
    auto_destroyed: Type.Optional(Type.Literal(true)),
    reason: Type.Optional(oneOf([autoDestroyReasons.duration_cap, autoDestroyReasons.suspension])),
  }),
  'session.failed': envelope('session.failed', {
    session_id: sessionId,
    duration_ms: durationMs,
    operation: oneOf(failedOperations),
    error_name: oneOf(sessionErrorNames),
    error_message: Type.String(),
  }),
  'api_key.revoked': envelope('api_key.revoked', {
    api_key_id: idSchema('apiKey'),
    name: Type.String(),
    revoked_at: Timestamp,
  }),
  'session.egress_capability_changed': envelope('session.egress_capability_changed', {
    session_id: sessionId,
    egress_capabilities: EgressCapabilities,
  }),
  'session.challenge_detected': envelope('session.challenge_detected', {
    session_id: sessionId,
    challenge_id: Type.String(),
    challenge: Challenge,
  }),
  'session.profile_save_failed': envelope('session.profile_save_failed', {
    session_id: sessionId,
    profile_id: idSchema('profile'),
    reason: oneOf(profileSaveFailures),
    detail: Type.String(),
  }),
  'crypto.order.paid': envelope('crypto.order.paid', { ...order, paid_at: Timestamp }),
  'crypto.order.failed': envelope('crypto.order.failed', {
    ...order,
    failed_at: Timestamp,
    reason: oneOf(orderFailures),
  }),
  'test.ping': envelope('test.ping', {
    message: Type.String(),
    endpoint_id: idSchema('webhook'),
    triggered_by_account_id: idSchema('account'),
  }),
} as const;

export type EnvelopeType = keyof typeof envelopes;

export const WebhookEnvelope = taggedUnion('type', envelopes);
export type WebhookEnvelope = Static<typeof WebhookEnvelope>;

/** An arbitrary uuid from which the ids of envelopes and deliveries derive. */
export const envelopeNamespace = '2f9d0f5e-6a1b-5c6e-8d3f-6f0b9f1c7a42';

export const envelopeIdOf = (eventId: string): string => uuidv5(eventId, envelopeNamespace);

/** The contract's closed list of event types for subscriptions. There is no wildcard. */
export const subscribableEventTypes = [
  'session.completed',
  'session.failed',
  'api_key.revoked',
  'session.egress_capability_changed',
  'crypto.order.paid',
  'crypto.order.failed',
  'session.challenge_detected',
  'session.profile_save_failed',
] as const;
export type SubscribableEventType = (typeof subscribableEventTypes)[number];

/** Event types of deliveries: the subscribable ones, and the ping of a test, which needs no subscription. */
export const webhookEventTypes = [...subscribableEventTypes, 'test.ping'] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** Why a session ended without a customer's request, in the contract's words. */
export const autoDestroyReasons = {
  duration_cap: 'auto-destroyed: free-tier session duration cap',
  suspension: 'account suspended',
} as const;

/** The kinds of bot check that a node recognises. */
export const challengeTypes = [
  'akamai',
  'arkose',
  'aws_waf',
  'cloudflare_interstitial',
  'cloudflare_turnstile',
  'datadome',
  'geetest',
  'hcaptcha',
  'imperva',
  'kasada',
  'perimeterx',
  'recaptcha_v2',
  'recaptcha_v3',
  'unknown',
] as const;

/** Why a session's end did not update the profile's saved state. */
export const profileSaveFailures = [
  'serialize_failed',
  'seal_failed',
  'too_large',
  'upload_failed',
  'degenerate_dump',
  'superseded',
] as const;

/** The processor reported a failure, the payment window ended, or a sweep ended the pending order. */
export const orderFailures = ['ipn', 'expired', 'swept'] as const;

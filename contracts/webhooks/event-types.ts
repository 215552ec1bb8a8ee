/** The contract's closed list of what a webhook endpoint may subscribe to. There is no shorthand for all. */
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

/** Why a session that its customer did not destroy was destroyed, in the contract's words. */
export const autoDestroyReasons = {
  duration_cap: 'auto-destroyed: free-tier session duration cap',
  suspension: 'account suspended',
} as const;

/** The kinds of bot check a node can recognise. */
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

/** Why a profile's saved state was not replaced when its session was torn down. */
export const profileSaveFailures = [
  'serialize_failed',
  'seal_failed',
  'too_large',
  'upload_failed',
  'degenerate_dump',
  'superseded',
] as const;

/** The processor said that it was not paid, its payment window ended, or it was cleaned up while still pending. */
export const orderFailures = ['ipn', 'expired', 'swept'] as const;

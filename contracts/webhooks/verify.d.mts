/**
 * Self-contained, so that its users compile none of the service's sources. A test compares it with the schemas that the
 * service sends by.
 */
interface Envelope<Type extends string, Data> {
  /** The same in every attempt, retry and replay: drop what you have seen. */
  id: string;
  type: Type;
  /** ISO 8601. Deliveries come in no order; this is theirs. */
  created_at: string;
  data: Data;
}

interface CryptoOrder {
  order_id: `ord_${string}`;
  product: string;
  price_cents: number;
  price_currency: string;
  payment_id: string;
}

/** What is sent. Types that are not here may come one day. */
export type WebhookEnvelope =
  | Envelope<'session.completed', SessionCompleted>
  | Envelope<'session.failed', SessionFailed>
  | Envelope<'api_key.revoked', { api_key_id: `key_${string}`; name: string; revoked_at: string }>
  | Envelope<'crypto.order.paid', CryptoOrder & { paid_at: string }>
  | Envelope<'crypto.order.failed', CryptoOrder & { failed_at: string; reason: 'ipn' | 'expired' | 'swept' }>
  | Envelope<
      'session.egress_capability_changed',
      { session_id: `ses_${string}`; egress_capabilities: EgressCapabilities }
    >
  | Envelope<
      'session.challenge_detected',
      { session_id: `ses_${string}`; challenge_id: string; challenge: Challenge }
    >
  | Envelope<'session.profile_save_failed', ProfileSaveFailed>
  | Envelope<
      'test.ping',
      { message: string; endpoint_id: `whk_${string}`; triggered_by_account_id: `acc_${string}` }
    >;

interface SessionCompleted {
  session_id: `ses_${string}`;
  duration_ms: number;
  /** Present only if the session ended without a request, like `reason`: test for presence. */
  auto_destroyed?: true;
  reason?: 'auto-destroyed: free-tier session duration cap' | 'account suspended';
}

interface SessionFailed {
  session_id: `ses_${string}`;
  duration_ms: number;
  operation:
    | 'navigate'
    | 'interact'
    | 'wait'
    | 'state_capture'
    | 'capture'
    | 'extract'
    | 'search'
    | 'login'
    | 'gui_input'
    | 'unknown';
  error_name: 'SessionTimeoutError' | 'DriverError' | 'DriverNotIntegratedError' | 'UnknownError';
  error_message: string;
}

interface EgressCapabilities {
  udp_associate: boolean;
  dns_remote_resolve: boolean;
  quic_route: string;
  warnings: string[];
}

interface Challenge {
  type:
    | 'akamai'
    | 'arkose'
    | 'aws_waf'
    | 'cloudflare_interstitial'
    | 'cloudflare_turnstile'
    | 'datadome'
    | 'geetest'
    | 'hcaptcha'
    | 'imperva'
    | 'kasada'
    | 'perimeterx'
    | 'recaptcha_v2'
    | 'recaptcha_v3'
    | 'unknown';
  /** 0 to 1. */
  confidence: number;
  detail: string;
}

interface ProfileSaveFailed {
  session_id: `ses_${string}`;
  profile_id: `prof_${string}`;
  reason:
    | 'serialize_failed'
    | 'seal_failed'
    | 'too_large'
    | 'upload_failed'
    | 'degenerate_dump'
    | 'superseded';
  detail: string;
}

/**
 * Why a message is not taken. The signature is looked at before the time, so that `too_old` and `too_far_ahead` are said
 * only of what a secret has signed: a late message, or a clock that is off.
 */
export type WebhookVerificationReason =
  | 'malformed_header'
  | 'no_matching_signature'
  | 'too_old'
  | 'too_far_ahead'
  | 'malformed_body';

export class WebhookVerificationError extends Error {
  readonly reason: WebhookVerificationReason;
  constructor(reason: WebhookVerificationReason, message: string, options?: ErrorOptions);
}

export interface ReceivedWebhook {
  /** The bytes of the request, or their text. */
  readonly body: Uint8Array | string;
  /** The header `X-Service-Signature`, as Node gives it. */
  readonly signature: string | string[] | undefined;
  /** Of the endpoint, `whsec_` and all; several while you change over. */
  readonly secret: string | readonly string[];
  /** How far the signature's time may be from now, in seconds; 300 by default. */
  readonly toleranceSeconds?: number;
  readonly now?: Date;
}

/** Types that are not in the union may come one day: leave them be in a `default`. */
export function verifyWebhook(message: ReceivedWebhook): WebhookEnvelope;

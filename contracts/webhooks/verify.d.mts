import type { WebhookEnvelope } from './envelope.ts';

/**
 * Why a message is not taken. The signature is looked at before the time, so that `too_old` and `too_far_ahead` are said
 * only of what a secret has signed: a late message, or a clock that is off.
 */
export type WebhookVerificationReason =
  'malformed_header' | 'no_matching_signature' | 'too_old' | 'too_far_ahead' | 'malformed_body';

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

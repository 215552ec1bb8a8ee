import type { Static } from '../../contracts/schema.ts';
import type { SealedSecret as SealedSecretSchema } from '../../contracts/events/webhook-endpoint.ts';
import type { AccountId, WebhookId } from '../../contracts/ids.ts';
import type { SubscribableEventType } from '../../contracts/webhooks/event-types.ts';

export type SealedSecret = Static<typeof SealedSecretSchema>;

/** A secret that signs. */
export interface SigningSecret extends SealedSecret {
  readonly createdAt: string;
  /** Its owner has been reminded of its age. */
  readonly isAged: boolean;
}

/** The secret before the last rotation; it signs until its grace ends. */
export interface PreviousSecret extends SealedSecret {
  readonly graceEndsAt: string;
  readonly graceNoticeAt: string;
  /** Its owner has been told that it is about to end. */
  readonly isEnding: boolean;
}

export interface ExistingWebhook {
  readonly status: 'active' | 'disabled' | 'deleted';
  readonly webhookId: WebhookId;
  readonly accountId: AccountId;
  readonly url: string;
  readonly events: readonly SubscribableEventType[];
  readonly description: string | null;
  readonly secret: SigningSecret;
  readonly previousSecret: PreviousSecret | null;
  /** Failed attempts in a row: the commit position of each, as they were told. */
  readonly failures: readonly string[];
  /** Commit position of the last success that cleared. */
  readonly clearedTo: string;
  readonly disabledAt: string | null;
  readonly lastTestId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** `none` is a stream without events. */
export type WebhookEndpoint = { readonly status: 'none' } | ExistingWebhook;

export const noWebhook: WebhookEndpoint = { status: 'none' };

/** Those that a success at this place in the log does not clear. */
export const failuresAfter = (failures: readonly string[], position: bigint): readonly string[] =>
  failures.filter((failure) => BigInt(failure) > position);

/** The secrets that sign at this moment, the newest first. The instant its grace ends is past it. */
export function signingSecrets(
  { secret, previousSecret }: ExistingWebhook,
  at: Date,
): readonly SealedSecret[] {
  const isInGrace = previousSecret !== null && at.getTime() < Date.parse(previousSecret.graceEndsAt);
  return isInGrace ? [secret, previousSecret] : [secret];
}

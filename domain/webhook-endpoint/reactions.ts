import type { WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import type { AccountId, WebhookId } from '../../contracts/ids.ts';
import { byType, type ByType } from '../kit/decider.ts';
import { isBefore } from '../kit/time.ts';

/** The numbers of consecutive failures at which the owner is warned, before the endpoint is disabled. */
const warnedAt: ReadonlySet<number> = new Set([10, 25, 45]);

interface Of {
  readonly webhookId: WebhookId;
  readonly accountId: AccountId;
}

/** A mail to the owner of an endpoint: its template and facts. */
export type WebhookNotice =
  | (Of & { readonly template: 'webhook-failing'; readonly consecutive: number; readonly at: string })
  | (Of & { readonly template: 'webhook-disabled'; readonly consecutive: number })
  | (Of & { readonly template: 'webhook-secret-reminder'; readonly secretId: string; readonly at: string })
  | (Of & { readonly template: 'webhook-grace-ending'; readonly graceEndsAt: string });

/** The mails that an event causes. */
export const webhookNotices = (event: WebhookEndpointEvent): readonly WebhookNotice[] =>
  byType(notices, event) ?? [];

const notices: Partial<ByType<WebhookEndpointEvent, readonly WebhookNotice[]>> = {
  WebhookFailureCounted: ({ webhookId, accountId, consecutive, at }) =>
    warnedAt.has(consecutive) ? [{ template: 'webhook-failing', webhookId, accountId, consecutive, at }] : [],
  WebhookDisabled: ({ webhookId, accountId, consecutive }) => [
    { template: 'webhook-disabled', webhookId, accountId, consecutive },
  ],
  WebhookSecretAged: ({ webhookId, accountId, secretId, at }) => [
    { template: 'webhook-secret-reminder', webhookId, accountId, secretId, at },
  ],
  /** Nothing once the grace period is over. */
  WebhookGraceEnding: ({ webhookId, accountId, graceEndsAt, at }) =>
    isBefore(at, graceEndsAt)
      ? [{ template: 'webhook-grace-ending', webhookId, accountId, graceEndsAt }]
      : [],
};

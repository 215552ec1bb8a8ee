import type { WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import type { AccountId, WebhookId } from '../../contracts/ids.ts';
import type { DataOf } from '../kit/decider.ts';

/** The numbers of consecutive failures at which the owner is warned, before the endpoint is disabled. */
const warnedAt: ReadonlySet<number> = new Set([10, 25, 45]);

interface Of {
  readonly webhookId: WebhookId;
  readonly accountId: AccountId;
}

/** A mail to the owner of an endpoint: its template and what it says. */
export type WebhookNotice =
  | (Of & { readonly template: 'webhook-failing' | 'webhook-disabled'; readonly consecutive: number })
  | (Of & { readonly template: 'webhook-secret-reminder'; readonly secretId: string; readonly at: string })
  | (Of & { readonly template: 'webhook-grace-ending'; readonly graceEndsAt: string });

/** The mails that an event causes. */
export function webhookNotices({ type, data }: WebhookEndpointEvent): readonly WebhookNotice[] {
  switch (type) {
    case 'WebhookFailureCounted': {
      const { webhookId, accountId, consecutive } = data;
      if (!warnedAt.has(consecutive)) return [];
      return [{ template: 'webhook-failing', webhookId, accountId, consecutive }];
    }
    case 'WebhookDisabled': {
      const { webhookId, accountId, consecutive } = data;
      return [{ template: 'webhook-disabled', webhookId, accountId, consecutive }];
    }
    case 'WebhookSecretAged': {
      const { webhookId, accountId, secretId, at } = data;
      return [{ template: 'webhook-secret-reminder', webhookId, accountId, secretId, at }];
    }
    case 'WebhookGraceEnding':
      return graceEnding(data);
    case 'WebhookRegistered':
    case 'WebhookChanged':
    case 'WebhookSecretRotated':
    case 'WebhookTestRequested':
    case 'WebhookFailuresCleared':
    case 'WebhookDeleted':
      return [];
  }
}

/** Nothing once the grace period is over. */
function graceEnding(data: DataOf<WebhookEndpointEvent, 'WebhookGraceEnding'>): readonly WebhookNotice[] {
  const { webhookId, accountId, graceEndsAt, at } = data;
  if (Date.parse(at) >= Date.parse(graceEndsAt)) return [];
  return [{ template: 'webhook-grace-ending', webhookId, accountId, graceEndsAt }];
}

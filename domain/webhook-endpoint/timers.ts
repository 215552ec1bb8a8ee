import type { WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import type { WebhookId } from '../../contracts/ids.ts';
import type { Timer } from '../kit/timer.ts';

const secretAge = (webhookId: WebhookId, dueAt: string): Timer => ({
  id: `webhook_secret_age-${webhookId}`,
  dueAt,
});

/**
 * The due times of an endpoint's secrets. A rotation sets the reminder anew under the id it had: the wake-up of the secret
 * before may still be pending then, comes too early for the new one, and leaves that one to the sweep.
 */
export function webhookTimers({ type, data }: WebhookEndpointEvent): readonly Timer[] {
  switch (type) {
    case 'WebhookRegistered':
      return [secretAge(data.webhookId, data.secret.remindAt)];
    case 'WebhookSecretRotated':
      return [
        secretAge(data.webhookId, data.secret.remindAt),
        { id: `webhook_grace_notice-${data.webhookId}`, dueAt: data.graceNoticeAt },
      ];
    case 'WebhookChanged':
    case 'WebhookTestRequested':
    case 'WebhookFailuresCleared':
    case 'WebhookDeleted':
    case 'WebhookFailureCounted':
    case 'WebhookDisabled':
    case 'WebhookSecretAged':
    case 'WebhookGraceEnding':
      return [];
  }
}

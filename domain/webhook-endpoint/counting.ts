import type { WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import type { CountOutcome } from './commands.ts';
import type { WebhookEndpoint } from './state.ts';

/**
 * Failed attempts in a row, in the order of the log, whatever order they were made in. An outcome at or before the last
 * one counted is not counted again. A success writes only when there is something to clear.
 */
export function countOutcome(
  state: WebhookEndpoint,
  { deliveryId, attempt, succeeded, position, disableAfter, at }: CountOutcome,
): readonly WebhookEndpointEvent[] {
  if (state.status !== 'active' || position <= BigInt(state.countedTo)) return [];
  const { webhookId, accountId, consecutiveFailures } = state;
  const of = { deliveryId, attempt, position: String(position), at };
  if (succeeded) {
    return consecutiveFailures === 0 ? [] : [{ type: 'WebhookFailuresCleared', data: { webhookId, ...of } }];
  }
  const consecutive = consecutiveFailures + 1;
  const counted: WebhookEndpointEvent = {
    type: 'WebhookFailureCounted',
    data: { webhookId, accountId, consecutive, ...of },
  };
  if (consecutive < disableAfter) return [counted];
  return [counted, { type: 'WebhookDisabled', data: { webhookId, accountId, consecutive, at } }];
}

import {
  webhookDeliveryEvents,
  type WebhookDeliveryEvent,
} from '../../../contracts/events/webhook-delivery.ts';
import { uuidOf, type AccountId, type WebhookDeliveryId, type WebhookId } from '../../../contracts/ids.ts';
import { webhookEndpoint } from '../../../domain/webhook-endpoint/index.ts';
import type { Clock } from '../../../infra/clock.ts';
import type { RecordedEvent } from '../../../infra/event-store/types.ts';
import { ownedBy, reactionCause } from '../../causes.ts';
import { isKnown } from '../../recording.ts';
import type { Runner } from '../../runner.ts';
import type { ProcessManager } from '../process-manager.ts';

export interface OutcomesPorts {
  readonly runner: Runner;
  readonly clock: Clock;
  /** So many failed attempts in a row disable an endpoint. */
  readonly disableAfter: number;
  /** Endpoints without failures that are remembered. */
  readonly entries?: number;
}

interface Outcome {
  readonly deliveryId: WebhookDeliveryId;
  readonly webhookId: WebhookId;
  readonly accountId: AccountId;
  readonly attempt: number;
  readonly succeeded: boolean;
}

const name = 'webhook-outcomes';

/**
 * Counts how attempts ended, for each endpoint in the order of the log, which is its lane.
 *
 * A success of an endpoint known to have no failures costs nothing, and that is exact. An endpoint is known so once its
 * state was read, or written, for an outcome of this term, with no failures in it; any failure makes it unknown first.
 * Only a working host counts, and it counts every outcome after its checkpoint, in order: when it comes to a success, the
 * failures before it are in what it knows, because it has counted them itself or has found them counted. One that lost
 * its term may still be counting what it had begun, which is ahead of the checkpoint too. If that is before the success,
 * this host has met it, as a conflict, when it counted the same outcome; if it is after, the success has nothing to clear
 * of it, and this host meets it when it comes there. What was known in an earlier term is forgotten when a term begins.
 */
export function webhookOutcomes(ports: OutcomesPorts): ProcessManager {
  const { runner, clock, disableAfter, entries = 50_000 } = ports;
  const withoutFailures = new Set<WebhookId>();
  const remember = (webhookId: WebhookId): void => {
    const [oldest] = withoutFailures.add(webhookId);
    if (withoutFailures.size > entries && oldest !== undefined) withoutFailures.delete(oldest);
  };
  return {
    name,
    categories: [webhookDeliveryEvents.name],
    lane: (event) => (event.data === undefined ? undefined : outcomeOf(event)?.webhookId),
    begin: () => withoutFailures.clear(),
    handle: async (event) => {
      const outcome = outcomeOf(event);
      if (outcome === undefined) return;
      const { webhookId, accountId, ...counted } = outcome;
      if (outcome.succeeded && withoutFailures.has(webhookId)) return;
      withoutFailures.delete(webhookId);
      const position = event.position.commit;
      const at = clock.now().toISOString();
      const { state } = await runner.run(
        webhookEndpoint,
        uuidOf(webhookId),
        { type: 'CountOutcome', ...counted, position, disableAfter, at },
        ownedBy(reactionCause(name, event), accountId),
      );
      if (state.status === 'active' && state.consecutiveFailures === 0) remember(webhookId);
    },
  };
}

function outcomeOf(event: RecordedEvent): Outcome | undefined {
  if (!isKnown<WebhookDeliveryEvent>(webhookDeliveryEvents, event)) return undefined;
  if (event.type !== 'DeliverySucceeded' && event.type !== 'DeliveryAttemptFailed') return undefined;
  const { deliveryId, webhookId, accountId, attempt } = event.data;
  return { deliveryId, webhookId, accountId, attempt, succeeded: event.type === 'DeliverySucceeded' };
}

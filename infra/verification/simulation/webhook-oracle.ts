import type { WebhookDeliveryEvent } from '../../../contracts/events/webhook-delivery.ts';
import type { WebhookEndpointEvent } from '../../../contracts/events/webhook-endpoint.ts';
import type { WebhookReplayEvent } from '../../../contracts/events/webhook-replay.ts';
import type { WebhookDeliveryId, WebhookId } from '../../../contracts/ids.ts';
import type { WebhookEnvelope } from '../../../contracts/webhooks/envelope.ts';
import type { ExistingWebhook } from '../../../domain/webhook-endpoint/state.ts';
import { webhookEndpoint } from '../../../domain/webhook-endpoint/webhook-endpoint.ts';
import { deliveryIdOf, envelopeOf } from '../../../domain/webhook-event/webhook-event.ts';
import type { SourceEvent } from '../../../domain/webhook-event/testing.ts';
import type { RecordedEvent } from '../../event-store/client/types.ts';

export type Of<Event> = RecordedEvent & Event;
export const isEndpoint = (event: RecordedEvent): event is Of<WebhookEndpointEvent> =>
  event.category === 'webhook_endpoint';
export const isDelivery = (event: RecordedEvent): event is Of<WebhookDeliveryEvent> =>
  event.category === 'webhook_delivery';
export const isReplay = (event: RecordedEvent): event is Of<WebhookReplayEvent> =>
  event.category === 'webhook_replay';
const isAnnouncing = (event: RecordedEvent): event is Of<SourceEvent> =>
  ['session', 'api_key', 'webhook_endpoint'].includes(event.category);

type Replay = Extract<WebhookReplayEvent, { type: 'ReplayRequested' }>['data'];

interface Announced {
  readonly accountId: string;
  readonly envelope: WebhookEnvelope;
}

/**
 * The messages that must have been sent, computed from the log alone, without the service's code: every endpoint that was
 * subscribed and active right before an event gets it.
 */
export class Expected {
  /** For events, and for tests of endpoints. */
  readonly deliveries = new Set<WebhookDeliveryId>();
  /** For each requested replay. */
  readonly replays: { readonly replay: Replay; readonly deliveries: readonly WebhookDeliveryId[] }[] = [];
  /** State at the end. */
  readonly endpoints = new Map<WebhookId, ExistingWebhook>();
  readonly #owners = new Map<string, string>();
  readonly #announced: Announced[] = [];

  constructor(log: readonly RecordedEvent[]) {
    for (const event of log) {
      if (event.type === 'SessionRequested') this.#own(event);
      if (isAnnouncing(event)) this.#announce(event);
      if (isEndpoint(event)) this.#change(event);
      if (isReplay(event) && event.type === 'ReplayRequested') this.#replay(event.data);
    }
  }

  #own({ stream, data }: RecordedEvent): void {
    this.#owners.set(stream, (data as { readonly accountId: string }).accountId);
  }

  #announce(event: Of<SourceEvent>): void {
    const envelope = envelopeOf(event.id, event);
    if (envelope === undefined) return;
    if (event.type === 'WebhookTestRequested') {
      const { webhookId, testId } = event.data;
      this.deliveries.add(deliveryIdOf(envelope.id, webhookId, `test ${testId}`));
      return;
    }
    const accountId = this.#owners.get(event.stream);
    if (accountId === undefined) return;
    this.#announced.push({ accountId, envelope });
    for (const endpoint of this.endpoints.values()) {
      const { status, webhookId, events } = endpoint;
      const isMeant = status === 'active' && endpoint.accountId === accountId;
      if (isMeant && names(events, envelope))
        this.deliveries.add(deliveryIdOf(envelope.id, webhookId, 'event'));
    }
  }

  #change(event: Of<WebhookEndpointEvent>): void {
    const { webhookId } = event.data;
    const state = webhookEndpoint.evolve(
      this.endpoints.get(webhookId) ?? webhookEndpoint.initialState,
      event,
    );
    if (state.status !== 'none') this.endpoints.set(webhookId, state);
  }

  #replay(replay: Replay): void {
    const { webhookId, since, until, replayId } = replay;
    const types = replay.types ?? this.endpoints.get(webhookId)?.events ?? [];
    const again = this.#announced.filter(({ accountId, envelope }) => {
      const { created_at: at } = envelope;
      return accountId === replay.accountId && names(types, envelope) && since <= at && at < until;
    });
    const deliveries = again.map(({ envelope }) =>
      deliveryIdOf(envelope.id, webhookId, `replay ${replayId}`),
    );
    this.replays.push({ replay, deliveries });
  }
}

const names = (types: readonly string[], { type }: WebhookEnvelope): boolean => types.includes(type);

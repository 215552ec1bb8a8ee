import type { WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import type { SubscribableEventType } from '../../contracts/webhooks/event-types.ts';
import type { WebhookEndpoint } from '../../domain/webhook-endpoint/state.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import { isAfter } from '../../infra/event-store/client/position.ts';
import type { Position } from '../../infra/event-store/client/types.ts';

export type Types = readonly SubscribableEventType[];

/** What an endpoint is subscribed to after a place in the log, up to the next change. */
interface Stretch {
  readonly after: Position;
  readonly types: Types;
}

export interface SubscriptionHistory {
  /** It holds for the log after this place; undefined when it is whole. */
  readonly after: Position | undefined;
  /** The oldest first. */
  readonly stretches: readonly Stretch[];
}

const none: Types = [];

/** An endpoint that is disabled or gone gets nothing, whatever it subscribed to. */
const typesOf = (endpoint: WebhookEndpoint): Types => (endpoint.status === 'active' ? endpoint.events : none);

/** Collects the history of one endpoint from its events, from the first one on or from a state it is known to have had. */
export function collectHistory(known?: { readonly state: WebhookEndpoint; readonly after: Position }) {
  let state = known?.state ?? webhookEndpoint.initialState;
  const stretches: Stretch[] = known ? [{ after: known.after, types: typesOf(known.state) }] : [];
  return {
    add(event: WebhookEndpointEvent, position: Position): void {
      const before = typesOf(state);
      state = webhookEndpoint.evolve(state, event);
      const types = typesOf(state);
      if (types !== before) stretches.push({ after: position, types });
    },
    history: (): SubscriptionHistory => ({ after: known?.after, stretches }),
  };
}

/** What was subscribed to right before the position; undefined where the history does not reach back so far. */
export function typesBefore(
  { after, stretches }: SubscriptionHistory,
  position: Position,
): Types | undefined {
  if (after !== undefined && !isAfter(position, after)) return undefined;
  return stretches.findLast((stretch) => isAfter(position, stretch.after))?.types ?? none;
}

import { announcedTypes } from '../../../contracts/events/index.ts';
import {
  webhookEndpointEvents,
  type WebhookEndpointEvent,
} from '../../../contracts/events/webhook-endpoint.ts';
import type { WebhookId } from '../../../contracts/ids.ts';
import { isAfter } from '../../../infra/event-store/client/position.ts';
import type { EventStore, Position, RecordedEvent } from '../../../infra/event-store/client/types.ts';
import { reactionContext } from '../../engine/context.ts';
import { hasKnownType } from '../../engine/recording.ts';
import type { Subscriptions } from '../../webhook-endpoint/subscriptions.ts';
import type { ProcessManager } from '../engine/process-manager.ts';
import {
  announcementOf,
  scheduleDeliveries,
  typesOfEndpoints,
  type Announcement,
  type SchedulingPorts,
  type SendFirst,
  type Trigger,
} from './scheduling.ts';

export interface FanOutPorts extends SchedulingPorts {
  readonly store: Pick<EventStore, 'head'>;
  readonly subscriptions: Subscriptions;
  readonly sendFirst: SendFirst;
  /** Called for every event before its deliveries are sent. */
  readonly observe: (event: RecordedEvent) => void;
}

const name = 'webhook-fan-out';

/**
 * Sends each announced event to every endpoint of its account that was active and subscribed to it at the event's own position in
 * the log. Attempts check later changes of an endpoint.
 *
 * Events appended after the term began are sent at once. Older ones may have been sent by the previous leader, and retried ones
 * by the failed try: for these the delivery is recorded first, and its deterministic id deduplicates.
 */
export function webhookFanOut(ports: FanOutPorts): ProcessManager {
  const { store, subscriptions, sendFirst, observe } = ports;
  let isNews = nothingIsNews;
  return {
    name,
    types: [...Object.keys(announcedTypes), ...typesOfEndpoints],
    begin: () => {
      subscriptions.forget();
      isNews = newsOf(store);
    },
    handle: async (event) => {
      subscriptions.observe(event);
      observe(event);
      const announcement = announcementOf(event);
      if (announcement === undefined) return;
      const news = isNews(event.position);
      const { envelope, accountId } = announcement;
      const { webhookIds, trigger } = await recipients(subscriptions, event, announcement);
      if (webhookIds.length === 0) return;
      const dispatches = webhookIds.map((webhookId) => ({ envelope, webhookId }));
      const first = (await news) ? sendFirst : undefined;
      await scheduleDeliveries(ports, accountId, dispatches, trigger, reactionContext(name, event), first);
    },
  };
}

const nothingIsNews = (_position: Position): Promise<boolean> => Promise.resolve(false);

/**
 * Whether an event is new: it is behind the end of the log at the first call, and it is not a retry. Events arrive in
 * order, so only a retry comes after a later event. While the end of the log is unknown, no event is new.
 */
function newsOf(store: FanOutPorts['store']): (position: Position) => Promise<boolean> {
  const end = store.head().catch(() => 'unknown' as const);
  let last: Position | undefined;
  return async (position) => {
    if (last !== undefined && !isAfter(position, last)) return false;
    last = position;
    const before = await end;
    return before !== 'unknown' && (before === undefined || isAfter(position, before));
  };
}

interface Recipients {
  readonly webhookIds: readonly WebhookId[];
  readonly trigger: Trigger;
}

const onEvent: Trigger = { kind: 'event', of: 'event', replayId: null };

/** A test's ping goes to the tested endpoint, regardless of its subscription. */
async function recipients(
  subscriptions: Subscriptions,
  event: RecordedEvent,
  { envelope: { type }, accountId }: Announcement,
): Promise<Recipients> {
  if (type !== 'test.ping') {
    return { webhookIds: await subscriptions.to(accountId, type, event.position), trigger: onEvent };
  }
  const test = hasKnownType<WebhookEndpointEvent>(webhookEndpointEvents, event) ? event : undefined;
  if (test?.type !== 'WebhookTestRequested') return { webhookIds: [], trigger: onEvent };
  const { webhookId, testId } = test.data;
  return { webhookIds: [webhookId], trigger: { kind: 'test', of: `test ${testId}`, replayId: null } };
}

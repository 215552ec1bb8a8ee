import type { Logger } from 'pino';
import { categoriesWith } from '../../../contracts/events/index.ts';
import {
  webhookDeliveryEvents,
  type WebhookDeliveryEvent,
} from '../../../contracts/events/webhook-delivery.ts';
import { accountWebhooksEvents, webhookEndpointEvents } from '../../../contracts/events/webhook-endpoint.ts';
import { uuidOf, type AccountId, type WebhookId, type WebhookReplayId } from '../../../contracts/ids.ts';
import type { WebhookEnvelope } from '../../../contracts/webhooks/envelope.ts';
import {
  isOpen,
  webhookDelivery,
  type ScheduleDelivery,
} from '../../../domain/webhook-delivery/webhook-delivery.ts';
import { bodyOf, deliveryIdOf, envelopeOf } from '../../../domain/webhook-event/webhook-event.ts';
import { ownerOf } from '../../../infra/event-store/client/owner.ts';
import type { RecordedEvent } from '../../../infra/event-store/client/types.ts';
import type { WakeUp, WakeUps } from '../../../infra/queue/types.ts';
import { ownedContext, type CommandContext } from '../../engine/context.ts';
import { inBatches } from '../../engine/in-batches.ts';
import { hasKnownType } from '../../engine/recording.ts';
import type { CommandPorts } from '../../engine/runner.ts';
import { schedule, wakeUpIdOf } from '../../webhook-delivery/recording.ts';
import type { Subscriptions } from '../../webhook-endpoint/subscriptions.ts';
import type { ProcessManager } from '../engine/process-manager.ts';

const categories = categoriesWith('announced');

/** Event types that `Subscriptions` must observe. */
export const typesOfEndpoints: readonly string[] = [webhookEndpointEvents, accountWebhooksEvents].flatMap(
  ({ types }) => Object.keys(types),
);

export interface Announcement {
  readonly envelope: WebhookEnvelope;
  /** The account whose endpoints receive it. */
  readonly accountId: AccountId;
}

/** The announcement of a recorded event; undefined for most events, and for one without an account. */
export function announcementOf(event: RecordedEvent): Announcement | undefined {
  const category = categories.find(({ name }) => name === event.category);
  if (category === undefined || !hasKnownType(category, event)) return undefined;
  const envelope = envelopeOf(event.id, event);
  const accountId = ownerOf(event);
  return envelope && accountId && { envelope, accountId };
}

export interface SchedulingPorts extends CommandPorts {
  readonly wake: (wakeUp: WakeUp) => void;
}

/** Sends an unrecorded delivery and records it; false if it has to be scheduled instead. */
export type SendFirst = (delivery: ScheduleDelivery, cause: CommandContext) => Promise<boolean>;

/** An envelope and its endpoint. */
export interface Dispatch {
  readonly envelope: WebhookEnvelope;
  readonly webhookId: WebhookId;
}

/** The trigger. `of` distinguishes triggers that send the same event to the same endpoint. */
export interface Trigger {
  readonly kind: ScheduleDelivery['trigger'];
  readonly of: string;
  readonly replayId: WebhookReplayId | null;
}

const appendsAtOnce = 64;

/**
 * Schedules a delivery for each dispatch and a wake-up of its first attempt, unless that is made at once. Ids derive from
 * envelope, endpoint and trigger, so a repetition stores nothing twice.
 */
export async function scheduleDeliveries(
  ports: SchedulingPorts,
  accountId: AccountId,
  dispatches: readonly Dispatch[],
  { kind: trigger, of, replayId }: Trigger,
  cause: CommandContext,
  sendFirst: SendFirst = () => Promise.resolve(false),
): Promise<void> {
  const owned = ownedContext(cause, accountId);
  await inBatches(dispatches, appendsAtOnce, async ({ envelope, webhookId }) => {
    const { id: eventId, type: eventType } = envelope;
    const deliveryId = deliveryIdOf(eventId, webhookId, of);
    const now = ports.clock.now();
    const delivery = {
      type: 'ScheduleDelivery',
      ...{ deliveryId, webhookId, accountId, eventId, eventType, body: bodyOf(envelope) },
      ...{ trigger, replayOf: null, replayId, at: now.toISOString() },
    } as const;
    if (await sendFirst(delivery, owned)) return;
    await schedule(ports, delivery, owned);
    ports.wake({ id: wakeUpIdOf(deliveryId, 1), dueAt: now });
  });
}

export interface WakeUpPorts {
  /** The queue of deliveries. */
  readonly wakeUps: Pick<WakeUps, 'scheduleAll'>;
  readonly logger: Logger;
}

/**
 * Adds wake-ups to the queue, batching concurrent ones. Not awaited: the sweep
 * replaces wake-ups that a failing queue loses, and reactions must not wait for it.
 */
export function collectWakeUps({ wakeUps, logger }: WakeUpPorts): (wakeUp: WakeUp) => void {
  let collected: WakeUp[] = [];
  let isDown = false;
  const hand = (): void => {
    const all = collected;
    collected = [];
    wakeUps.scheduleAll(all).then(
      () => (isDown = false),
      (error: unknown) => {
        const about = { err: error, wake_ups: all.length, first: all[0]?.id };
        // Logged once per outage: there may be thousands.
        if (!isDown)
          logger.warn(about, 'Wake-ups of deliveries are not scheduled; the sweep finds the deliveries.');
        isDown = true;
      },
    );
  };
  return (wakeUp) => {
    if (collected.push(wakeUp) === 1) queueMicrotask(hand);
  };
}

interface RequestedPorts extends Pick<SchedulingPorts, 'runner' | 'wake'> {
  readonly subscriptions: Subscriptions;
}

const waking: readonly WebhookDeliveryEvent['type'][] = ['DeliveryScheduled', 'DeliveryRequeued'];

/**
 * Wakes up deliveries scheduled by requests; the managers wake up their own. It also keeps the
 * subscriptions of this host up to date.
 */
export const requestedDeliveries = (ports: RequestedPorts): ProcessManager => ({
  name: 'requested-deliveries',
  types: [...waking, ...typesOfEndpoints],
  begin: () => ports.subscriptions.forget(),
  handle: (event) => {
    ports.subscriptions.observe(event);
    return wakeUp(ports, event);
  },
});

async function wakeUp({ runner, wake }: RequestedPorts, event: RecordedEvent): Promise<void> {
  if (event.category !== webhookDeliveryEvents.name) return;
  if (!hasKnownType<WebhookDeliveryEvent>(webhookDeliveryEvents, event)) return;
  if (event.type === 'DeliveryScheduled') {
    const { deliveryId, trigger, replayId, dueAt } = event.data;
    const isOnRequest = trigger === 'replay' && replayId === null;
    if (isOnRequest) wake({ id: wakeUpIdOf(deliveryId, 1), dueAt: new Date(dueAt) });
  }
  if (event.type === 'DeliveryRequeued') {
    const { deliveryId } = event.data;
    const { state } = await runner.load(webhookDelivery, uuidOf(deliveryId));
    if (isOpen(state)) wake({ id: wakeUpIdOf(deliveryId, state.attempts + 1), dueAt: new Date(state.dueAt) });
  }
}

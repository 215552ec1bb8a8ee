import type { AttemptTimings, WebhookDeliveryEvent } from '../../contracts/events/webhook-delivery.ts';
import type { By } from '../../contracts/events/metadata.ts';
import { parseId, toId, uuidOf, type WebhookDeliveryId } from '../../contracts/ids.ts';
import {
  webhookDelivery,
  type AttemptOutcome,
  type CancelDelivery,
  type OpenDelivery,
  type RecordAttempt,
  type ScheduleAttempted,
  type ScheduleDelivery,
} from '../../domain/webhook-delivery/webhook-delivery.ts';
import { EventStoreUnavailable } from '../../infra/event-store/client/types.ts';
import { pauseMs } from '../../infra/platform/back-off.ts';
import { traceparent } from '../../infra/tracing/index.ts';
import {
  now,
  ownedContext,
  timerContext,
  type CausingEvent,
  type CommandContext,
} from '../engine/context.ts';
import type { DeliveryPorts } from './ports.ts';
import { eventIdOf } from '../engine/recording.ts';
import type { CommandPorts } from '../engine/runner.ts';

/**
 * How far ahead of its due time an attempt is scheduled in the queue, in ms. A million deliveries that wait for an hour are rows
 * of a read model, not jobs in the queue's memory; the sweep hands over later ones before they are due.
 */
export const schedulingWindowMs = 120_000;

/** The wake-up's id: one per attempt, so that a queue that still holds the last one accepts the next. */
export const wakeUpIdOf = (deliveryId: WebhookDeliveryId, attempt: number): string =>
  `${uuidOf(deliveryId)}-${attempt}`;

/** The number of the attempt of a wake-up, from 1. Undefined for an id that `wakeUpIdOf` did not make. */
export function parseWakeUpId(id: string) {
  const [, uuid = '', attempt] = /^(.+)-([1-9]\d{0,8})$/.exec(id) ?? [];
  const deliveryId = parseId('webhookDelivery', toId('webhookDelivery', uuid));
  return deliveryId && { deliveryId, attempt: Number(attempt) };
}

/** An attempt whose outcome is not recorded yet. */
export interface Made {
  readonly attempt: number;
  readonly startedAt: string;
  readonly result: AttemptOutcome;
  readonly timings: AttemptTimings;
}

/** Retries of recording an outcome while the store is unavailable: some ten minutes. */
const recordings = 40;
const backOff = { firstMs: 500, longestMs: 5000 };

/** A recorded delivery. */
type Delivery = Pick<OpenDelivery, 'deliveryId' | 'accountId'>;

/** A recorded delivery, with the last event of its stream, which caused its attempt or its end. */
export type Recorded = Delivery & { readonly last: CausingEvent | null };

/** Records the outcome of an attempt and schedules the next one. Keeps an outcome recorded by another worker. */
export async function record(ports: DeliveryPorts, delivery: Recorded, made: Made): Promise<void> {
  const cause = causeOf(delivery, wakeUpIdOf(delivery.deliveryId, made.attempt), 'timer:delivery-attempt');
  await settle(ports, delivery, outcomeOf(ports, made), cause);
}

/** The same for a first attempt that was made before its delivery was recorded. */
export async function recordFirst(
  ports: DeliveryPorts,
  delivery: ScheduleDelivery,
  made: Made,
  cause: CommandContext,
): Promise<void> {
  const attempt = outcomeOf(ports, made);
  await settle(ports, delivery, { type: 'ScheduleAttempted', schedule: delivery, attempt }, cause);
}

/** The event that `schedule` stores, known before it is stored. */
export const scheduledBy = (
  { deliveryId }: ScheduleDelivery,
  { correlationId }: CommandContext,
): CausingEvent => ({
  id: eventIdOf({ commandId: uuidOf(deliveryId) }, 0, 'DeliveryScheduled'),
  metadata: { correlation_id: correlationId, traceparent: traceparent() },
});

/** Ids derive from the delivery's id, so a repetition stores nothing twice. */
export async function schedule(
  { runner }: Pick<DeliveryPorts, 'runner'>,
  delivery: ScheduleDelivery,
  cause: CommandContext,
): Promise<void> {
  const uuid = uuidOf(delivery.deliveryId);
  await runner.run(webhookDelivery, uuid, delivery, { ...cause, commandId: uuid }, { create: true });
}

function outcomeOf(ports: DeliveryPorts, made: Made): RecordAttempt {
  const { random, backoffMs, jitter } = ports;
  return { type: 'RecordAttempt', ...made, backoffMs, jitter: random() * jitter, at: now(ports) };
}

async function settle(
  ports: DeliveryPorts,
  delivery: Delivery,
  command: RecordAttempt | ScheduleAttempted,
  cause: CommandContext,
): Promise<void> {
  const context = { ...cause, commandId: ports.newCommandId() };
  for (const { type, data } of await persist(ports, delivery, command, context))
    if (type === 'DeliveryAttemptFailed' && data.nextAttemptAt !== null)
      await wakeUpFor(ports, delivery, data.attempt + 1, data.nextAttemptAt);
}

/** Waits for an unavailable store, because the outcome would be lost with this process; the wake-up stays in the queue. */
async function persist(
  { runner, pause, logger }: DeliveryPorts,
  { deliveryId }: Delivery,
  command: RecordAttempt | ScheduleAttempted,
  context: CommandContext,
): Promise<readonly WebhookDeliveryEvent[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      const create = command.type === 'ScheduleAttempted';
      return (await runner.run(webhookDelivery, uuidOf(deliveryId), command, context, { create })).events;
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable) || tries >= recordings) throw error;
      logger.warn({ err: error, delivery: deliveryId, tries }, 'An attempt could not be recorded; retrying.');
      await pause(pauseMs(backOff, tries - 1), new AbortController().signal);
    }
  }
}

/** Cancels the delivery, for lack of a receiver. */
export async function cancel(
  ports: CommandPorts,
  delivery: Recorded,
  reason: CancelDelivery['reason'],
): Promise<void> {
  const command = { type: 'CancelDelivery', reason, at: now(ports) } as const;
  const cause = causeOf(delivery, `cancel-${delivery.deliveryId}`, 'timer:delivery-end');
  await ports.runner.run(webhookDelivery, uuidOf(delivery.deliveryId), command, cause);
}

/**
 * Schedules the wake-up of an attempt. The sweep takes over one beyond the scheduling window, and one that the queue does not
 * accept.
 */
export async function wakeUpFor(
  { wakeUps, clock, logger }: Pick<DeliveryPorts, 'wakeUps' | 'clock' | 'logger'>,
  { deliveryId }: Delivery,
  attempt: number,
  dueAt: string,
): Promise<void> {
  const due = new Date(dueAt);
  if (due.getTime() > clock.now().getTime() + schedulingWindowMs) return;
  try {
    await wakeUps.schedule(wakeUpIdOf(deliveryId, attempt), due);
  } catch (error) {
    const about = { err: error, delivery: deliveryId };
    logger.warn(about, 'An attempt was not scheduled; the next sweep finds the delivery.');
  }
}

const causeOf = ({ accountId, last }: Recorded, subject: string, by: By): CommandContext =>
  ownedContext(timerContext(subject, by, last), accountId);

import type { AttemptTimings, WebhookDeliveryEvent } from '../../contracts/events/webhook-delivery.ts';
import { uuidOf } from '../../contracts/ids.ts';
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
import { ownedContext, systemContext, type CommandContext } from '../engine/context.ts';
import { schedulingWindowMs } from './scheduling-window.ts';
import type { DeliveryPorts } from './ports.ts';
import { wakeUpIdOf } from './wake-up-id.ts';
import { pauseMs } from '../../infra/platform/back-off.ts';

/** One attempt, whose outcome only this process knows as yet. */
export interface Made {
  readonly attempt: number;
  readonly startedAt: string;
  readonly result: AttemptOutcome;
  readonly timings: AttemptTimings;
}

/** How often an outcome is brought to a record that is away before it is given up; some ten minutes. */
const recordings = 40;
const backOff = { firstMs: 500, longestMs: 5000 };

/** What is asked of a delivery that is recorded, or is about to be. */
type Delivery = Pick<OpenDelivery, 'deliveryId' | 'accountId' | 'eventId'>;

/** Records what came of an attempt, and has the next one woken up. What another worker recorded stands. */
export async function record(ports: DeliveryPorts, delivery: Delivery, made: Made): Promise<void> {
  const cause = causeOf(delivery, wakeUpIdOf(delivery.deliveryId, made.attempt));
  await settle(ports, delivery, outcomeOf(ports, made), cause);
}

/** The same for a first attempt that was made before its delivery was recorded. */
export async function recordFirst(
  ports: DeliveryPorts,
  delivery: ScheduleDelivery,
  made: Made,
  cause: CommandContext,
): Promise<void> {
  const command = { type: 'ScheduleAttempted', schedule: delivery, attempt: outcomeOf(ports, made) } as const;
  await settle(ports, delivery, command, cause);
}

/** Ids derive from the delivery's own, which tells it from every other: doing it again stores nothing twice. */
export async function schedule(
  { runner }: Pick<DeliveryPorts, 'runner'>,
  delivery: ScheduleDelivery,
  cause: CommandContext,
): Promise<void> {
  const uuid = uuidOf(delivery.deliveryId);
  await runner.run(webhookDelivery, uuid, delivery, { ...cause, commandId: uuid }, { create: true });
}

const outcomeOf = ({ clock, random, backoffMs, jitter }: DeliveryPorts, made: Made): RecordAttempt => ({
  type: 'RecordAttempt',
  ...made,
  backoffMs,
  jitter: random() * jitter,
  at: clock.now().toISOString(),
});

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

/** The outcome would be lost with this process: an outage of the record is waited for, the wake-up stays in the queue. */
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
      logger.warn({ err: error, delivery: deliveryId, tries }, 'An attempt is not recorded yet.');
      await pause(pauseMs(backOff, tries - 1), new AbortController().signal);
    }
  }
}

/** Nobody is there to send to. */
export async function cancel(
  { runner, clock }: Pick<DeliveryPorts, 'runner' | 'clock'>,
  delivery: Delivery,
  reason: CancelDelivery['reason'],
): Promise<void> {
  const command: CancelDelivery = { type: 'CancelDelivery', reason, at: clock.now().toISOString() };
  const cause = causeOf(delivery, `cancel-${delivery.deliveryId}`);
  await runner.run(webhookDelivery, uuidOf(delivery.deliveryId), command, cause);
}

/** One beyond the horizon is left to the sweep; so is one that the queue does not take. */
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
    logger.warn(
      { err: error, delivery: deliveryId },
      'An attempt was not scheduled and is left to the sweep.',
    );
  }
}

/** Told to be about the event that is delivered, whatever it was that woke us up. */
const causeOf = ({ accountId, eventId }: Delivery, subject: string): CommandContext => ({
  ...ownedContext(systemContext(subject), accountId),
  correlationId: eventId,
});

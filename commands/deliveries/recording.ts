import type { AttemptTimings, WebhookDeliveryEvent } from '../../contracts/events/webhook-delivery.ts';
import { uuidOf } from '../../contracts/ids.ts';
import {
  webhookDelivery,
  type AttemptOutcome,
  type CancelDelivery,
  type OpenDelivery,
  type RecordAttempt,
} from '../../domain/webhook-delivery/index.ts';
import { EventStoreUnavailable } from '../../infra/event-store/types.ts';
import type { CommandContext } from '../context.ts';
import { ownedBy, systemCause } from '../causes.ts';
import { horizonMs } from './horizon.ts';
import type { DeliveryPorts } from './ports.ts';
import { wakeUpIdOf } from './wake-up-id.ts';

/** One attempt, whose outcome only this process knows as yet. */
export interface Made {
  readonly attempt: number;
  readonly startedAt: string;
  readonly result: AttemptOutcome;
  readonly timings: AttemptTimings;
}

/** How often an outcome is brought to a record that is away before it is given up; some ten minutes. */
const recordings = 40;
const longestPauseMs = 5000;

/** Records what came of an attempt, and has the next one woken up. What another worker recorded stands. */
export async function record(ports: DeliveryPorts, delivery: OpenDelivery, made: Made): Promise<void> {
  const { clock, random, newCommandId, backoffMs, jitter } = ports;
  const command: RecordAttempt = {
    type: 'RecordAttempt',
    ...made,
    backoffMs,
    jitter: random() * jitter,
    at: clock.now().toISOString(),
  };
  const context: CommandContext = {
    ...causeOf(delivery, wakeUpIdOf(delivery.deliveryId, made.attempt)),
    commandId: newCommandId(),
  };
  const events = await persist(ports, delivery, command, context);
  for (const event of events)
    if (event.type === 'DeliveryAttemptFailed' && event.data.nextAttemptAt !== null)
      await wakeUpFor(ports, delivery, made.attempt + 1, event.data.nextAttemptAt);
}

/** The outcome would be lost with this process: an outage of the record is waited for, the wake-up stays in the queue. */
async function persist(
  { runner, pause, logger }: DeliveryPorts,
  { deliveryId }: OpenDelivery,
  command: RecordAttempt,
  context: CommandContext,
): Promise<readonly WebhookDeliveryEvent[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return (await runner.run(webhookDelivery, uuidOf(deliveryId), command, context)).events;
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable) || tries >= recordings) throw error;
      logger.warn({ err: error, delivery: deliveryId, tries }, 'An attempt is not recorded yet.');
      await pause(Math.min(longestPauseMs, 250 * 2 ** tries), new AbortController().signal);
    }
  }
}

/** Nobody is there to send to. */
export async function cancel(
  { runner, clock }: Pick<DeliveryPorts, 'runner' | 'clock'>,
  delivery: OpenDelivery,
  reason: CancelDelivery['reason'],
): Promise<void> {
  const command: CancelDelivery = { type: 'CancelDelivery', reason, at: clock.now().toISOString() };
  const cause = causeOf(delivery, `cancel-${delivery.deliveryId}`);
  await runner.run(webhookDelivery, uuidOf(delivery.deliveryId), command, cause);
}

/** One beyond the horizon is left to the sweep; so is one that the queue does not take. */
export async function wakeUpFor(
  { wakeUps, clock, logger }: Pick<DeliveryPorts, 'wakeUps' | 'clock' | 'logger'>,
  { deliveryId }: OpenDelivery,
  attempt: number,
  dueAt: string,
): Promise<void> {
  const due = new Date(dueAt);
  if (due.getTime() > clock.now().getTime() + horizonMs) return;
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
const causeOf = ({ accountId, eventId }: OpenDelivery, subject: string): CommandContext => ({
  ...ownedBy(systemCause(subject), accountId),
  correlationId: eventId,
});

import { parseId, toId, uuidOf, type AccountId, type WebhookReplayId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { SubscribableEventType } from '../../contracts/webhooks/event-types.ts';
import {
  isOpen,
  webhookDelivery,
  type ClosedDelivery,
  type OpenDelivery,
} from '../../domain/webhook-delivery/webhook-delivery.ts';
import type { ExistingWebhook } from '../../domain/webhook-endpoint/state.ts';
import { assertEnabled } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import { deliveryIdOf } from '../../domain/webhook-event/webhook-event.ts';
import { webhookReplay } from '../../domain/webhook-replay.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { now, ownedStep, type CommandContext } from '../engine/context.ts';
import type { CommandPorts } from '../engine/runner.ts';

/** Events at or after `since` and before `until`, ISO 8601. */
export interface EventRange {
  readonly since: string;
  readonly until: string;
  readonly types: readonly SubscribableEventType[];
}

/** Number of events in a range, and the times of the first and the last. */
export interface ForecastCount {
  readonly matching: number;
  readonly firstAt: string | null;
  readonly lastAt: string | null;
}

export interface ReplayPorts extends CommandPorts {
  /** Counts an account's events in the read model, as an estimate. */
  readonly forecast: (accountId: AccountId, range: EventRange) => Promise<ForecastCount>;
}

/** A delivery with the endpoint it was for. */
export interface OwnedDelivery {
  readonly delivery: OpenDelivery | ClosedDelivery;
  readonly webhook: ExistingWebhook;
}

/** Sends the same event and the same bytes again, however the delivery ended; refused while it is open. */
export async function replayDelivery(
  ports: ReplayPorts,
  { delivery, webhook }: OwnedDelivery,
  context: CommandContext,
) {
  assertEnabled(webhook);
  if (isOpen(delivery))
    throw refuse('conflict', `The delivery is ${delivery.status}: its event is already being sent.`);
  const { deliveryId: replayOf, webhookId, accountId, eventId, eventType, body } = delivery;
  const step = ownedStep(context, webhook.accountId, 'replay-delivery');
  const deliveryId = deliveryIdOf(eventId, webhookId, `replay ${step.commandId}`);
  const of = { deliveryId, webhookId, accountId, eventId, eventType, body, replayOf, replayId: null };
  const command = { type: 'ScheduleDelivery', ...of, trigger: 'replay', at: now(ports) } as const;
  const uuid = uuidOf(deliveryId);
  const { position } = await ports.runner.run(webhookDelivery, uuid, command, step, { create: true });
  return { deliveryId, eventId, position };
}

/** The range to send again. Types null: the endpoint's subscription. */
export interface ReplayOrder extends Omit<EventRange, 'types'> {
  readonly types: readonly SubscribableEventType[] | null;
}

export interface RequestedReplay {
  readonly replayId: WebhookReplayId;
  readonly requestedAt: string;
  readonly position: Position | undefined;
}

/** Starts a replay, which process managers continue step by step. Refused while the endpoint has another one running. */
export async function requestReplay(
  ports: ReplayPorts,
  webhook: ExistingWebhook,
  order: ReplayOrder,
  context: CommandContext,
): Promise<RequestedReplay> {
  assertEnabled(webhook);
  const { webhookId, accountId } = webhook;
  const step = ownedStep(context, accountId, 'request-replay');
  const replayId = toId('webhookReplay', step.commandId);
  const at = now(ports);
  const command = { type: 'RequestReplay', replayId, webhookId, accountId, ...order, at } as const;
  const { position } = await ports.runner.run(webhookReplay, uuidOf(webhookId), command, step);
  return { replayId, requestedAt: at, position };
}

/** Ends a running replay; its scheduled deliveries are still sent. Refuses an invalid id like an unknown one. */
export async function cancelReplay(
  ports: ReplayPorts,
  { webhookId, accountId }: ExistingWebhook,
  id: string,
  context: CommandContext,
): Promise<Position | undefined> {
  const replayId = parseId('webhookReplay', id);
  if (replayId === undefined) throw refuse('not-found');
  const command = { type: 'CancelReplay', replayId, at: now(ports) } as const;
  const step = ownedStep(context, accountId, 'cancel-replay');
  return (await ports.runner.run(webhookReplay, uuidOf(webhookId), command, step)).position;
}

/** The number of deliveries of a replay; throws what the replay would throw. */
export async function forecastReplay(
  { forecast }: ReplayPorts,
  webhook: ExistingWebhook,
  { since, until, types }: ReplayOrder,
): Promise<ForecastCount> {
  assertEnabled(webhook);
  return forecast(webhook.accountId, { since, until, types: types ?? webhook.events });
}

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

/** How many events a range holds, and when the first and the last of them happened. */
export interface ForecastCount {
  readonly matching: number;
  readonly firstAt: string | null;
  readonly lastAt: string | null;
}

export interface ReplayPorts extends CommandPorts {
  /** Counts an account's events as far as its read model is; it decides nothing. */
  readonly forecast: (accountId: AccountId, range: EventRange) => Promise<ForecastCount>;
}

/** A delivery with the endpoint it was for. */
export interface OwnedDelivery {
  readonly delivery: OpenDelivery | ClosedDelivery;
  readonly webhook: ExistingWebhook;
}

/** The same event and the same bytes once more, however the delivery ended; not while it is still on its way. */
export async function replayDelivery(
  ports: ReplayPorts,
  { delivery, webhook }: OwnedDelivery,
  context: CommandContext,
) {
  assertEnabled(webhook);
  if (isOpen(delivery))
    throw refuse('conflict', `The delivery is ${delivery.status}: its event is on its way already.`);
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

/** Begins a replay, which process managers carry on step by step. Refused while the endpoint has another one running. */
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

/** Ends a running replay; its scheduled deliveries are still sent. An invalid id is refused like an unknown one. */
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

/** The number of deliveries a replay would make; refused where the replay would be. */
export async function forecastReplay(
  { forecast }: ReplayPorts,
  webhook: ExistingWebhook,
  { since, until, types }: ReplayOrder,
): Promise<ForecastCount> {
  assertEnabled(webhook);
  return forecast(webhook.accountId, { since, until, types: types ?? webhook.events });
}

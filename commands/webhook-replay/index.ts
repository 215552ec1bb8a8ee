import { parseId, toId, uuidOf, type WebhookDeliveryId, type WebhookReplayId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { SubscribableEventType } from '../../contracts/webhooks/event-types.ts';
import { isOpen, webhookDelivery } from '../../domain/webhook-delivery/webhook-delivery.ts';
import type { ExistingWebhook } from '../../domain/webhook-endpoint/state.ts';
import { disabledText } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import { deliveryIdOf } from '../../domain/webhook-event/webhook-event.ts';
import { webhookReplay } from '../../domain/webhook-replay.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { stepContext } from '../engine/derived-context.ts';
import type { CommandContext } from '../engine/context.ts';
import type { OwnedDelivery } from '../webhook-endpoint/find.ts';
import type { ForecastCount, WebhookPorts } from '../webhook-endpoint/ports.ts';

type Deciding = Pick<WebhookPorts, 'runner' | 'clock'>;

function assertTakesMore({ status }: ExistingWebhook): void {
  if (status === 'disabled') throw refuse('conflict', disabledText);
}

/** A new delivery of an event that was sent before. */
export interface ReplayedDelivery {
  readonly deliveryId: WebhookDeliveryId;
  readonly eventId: string;
  readonly position: Position | undefined;
}

/** The same event and the same bytes once more, however the delivery ended; not while it is still on its way. */
export async function replayDelivery(
  { runner, clock }: Deciding,
  { delivery, webhook }: OwnedDelivery,
  context: CommandContext,
): Promise<ReplayedDelivery> {
  assertTakesMore(webhook);
  if (isOpen(delivery))
    throw refuse('conflict', `The delivery is ${delivery.status}: its event is on its way already.`);
  const { deliveryId: replayOf, webhookId, accountId, eventId, eventType, body } = delivery;
  const step = stepContext(context, 'replay-delivery');
  const deliveryId = deliveryIdOf(eventId, webhookId, `replay ${step.commandId}`);
  const of = { deliveryId, webhookId, accountId, eventId, eventType, body, replayOf, replayId: null };
  const { position } = await runner.run(
    webhookDelivery,
    uuidOf(deliveryId),
    { type: 'ScheduleDelivery', ...of, trigger: 'replay', at: clock.now().toISOString() },
    step,
    { create: true },
  );
  return { deliveryId, eventId, position };
}

/** What is to be sent again. Types null: whatever the endpoint subscribes to. */
export interface ReplayOrder {
  readonly since: string;
  readonly until: string;
  readonly types: readonly SubscribableEventType[] | null;
}

export interface RequestedReplay {
  readonly replayId: WebhookReplayId;
  readonly requestedAt: string;
  readonly position: Position | undefined;
}

/** Begins a replay, which process managers carry on step by step. Refused while the endpoint has another one running. */
export async function requestReplay(
  { runner, clock }: Deciding,
  webhook: ExistingWebhook,
  order: ReplayOrder,
  context: CommandContext,
): Promise<RequestedReplay> {
  assertTakesMore(webhook);
  const { webhookId, accountId } = webhook;
  const step = stepContext(context, 'request-replay');
  const replayId = toId('webhookReplay', step.commandId);
  const requestedAt = clock.now().toISOString();
  const { position } = await runner.run(
    webhookReplay,
    uuidOf(webhookId),
    { type: 'RequestReplay', replayId, webhookId, accountId, ...order, at: requestedAt },
    step,
  );
  return { replayId, requestedAt, position };
}

/** Ends a replay that is running; what it has scheduled is sent. An id that is none is refused as an unknown one is. */
export async function cancelReplay(
  { runner, clock }: Deciding,
  { webhookId }: ExistingWebhook,
  id: string,
  context: CommandContext,
): Promise<Position | undefined> {
  const replayId = parseId('webhookReplay', id);
  if (replayId === undefined) throw refuse('not-found');
  const { position } = await runner.run(
    webhookReplay,
    uuidOf(webhookId),
    { type: 'CancelReplay', replayId, at: clock.now().toISOString() },
    stepContext(context, 'cancel-replay'),
  );
  return position;
}

/** What a replay would send; refused wherever that would be. */
export async function forecastReplay(
  { forecast }: Pick<WebhookPorts, 'forecast'>,
  webhook: ExistingWebhook,
  { since, until, types }: ReplayOrder,
): Promise<ForecastCount> {
  assertTakesMore(webhook);
  return forecast(webhook.accountId, { since, until, types: types ?? webhook.events });
}

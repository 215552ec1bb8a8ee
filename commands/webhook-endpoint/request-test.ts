import { parseId, uuidOf, type WebhookDeliveryId } from '../../contracts/ids.ts';
import type { ExistingWebhook } from '../../domain/webhook-endpoint/state.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import { envelopeIdOf } from '../../contracts/webhooks/envelope.ts';
import { deliveryIdOf } from '../../domain/webhook-event/webhook-event.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { stepContext } from '../engine/derived-context.ts';
import type { CommandContext } from '../engine/context.ts';
import { eventIdOf } from '../engine/recording.ts';
import type { WebhookPorts } from './ports.ts';

/** By the ids that the event and its delivery will have once the fan-out has made them. */
export interface RequestedTest {
  readonly eventId: string;
  readonly deliveryId: WebhookDeliveryId;
  readonly position: Position | undefined;
}

/** Asks for one `test.ping`, whatever the endpoint subscribes to. */
export async function requestTest(
  { runner, clock }: Pick<WebhookPorts, 'runner' | 'clock'>,
  { webhookId, accountId }: ExistingWebhook,
  context: CommandContext,
): Promise<RequestedTest> {
  const step = stepContext(context, 'request-test');
  const { commandId: testId } = step;
  const triggeredBy = parseId('account', context.actor.actor_account_id ?? '') ?? accountId;
  const { position } = await runner.run(
    webhookEndpoint,
    uuidOf(webhookId),
    { type: 'RequestTest', testId, triggeredBy, at: clock.now().toISOString() },
    step,
  );
  const eventId = envelopeIdOf(eventIdOf(step, 0));
  return { eventId, deliveryId: deliveryIdOf(eventId, webhookId, `test ${testId}`), position };
}

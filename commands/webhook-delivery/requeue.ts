import { uuidOf, type AccountId, type WebhookDeliveryId, type WebhookId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { webhookDelivery } from '../../domain/webhook-delivery/webhook-delivery.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { now, ownedStep, type CommandContext } from '../engine/context.ts';
import type { CommandPorts, Runner } from '../engine/runner.ts';

export interface Requeued {
  readonly accountId: AccountId;
  /** Undefined if it waits for an attempt already. */
  readonly position: Position | undefined;
}

/**
 * Gives a dead letter another round of attempts; the sweep finds it due. Refused for a deleted or disabled endpoint: the delivery
 * would be cancelled, and could not be requeued after that.
 */
export async function requeueDelivery(
  ports: CommandPorts,
  deliveryId: WebhookDeliveryId,
  context: CommandContext,
): Promise<Requeued> {
  const uuid = uuidOf(deliveryId);
  const { runner } = ports;
  const { state } = await runner.load(webhookDelivery, uuid);
  if (state.status === 'none') throw refuse('not-found', 'There is no such delivery.');
  await assertActive(runner, state.webhookId);
  const cause = ownedStep(context, state.accountId, deliveryId);
  const command = { type: 'RequeueDelivery', at: now(ports) } as const;
  const { position } = await runner.run(webhookDelivery, uuid, command, cause);
  return { accountId: state.accountId, position };
}

/** Throws `conflict` for a deleted or disabled endpoint. The cached state suffices: no endpoint is enabled again. */
export async function assertActive(runner: Runner, webhookId: WebhookId): Promise<void> {
  const { state } = await runner.load(webhookEndpoint, uuidOf(webhookId), { cached: true });
  if (state.status !== 'active')
    throw refuse(
      'conflict',
      `The endpoint of the delivery is ${state.status === 'none' ? 'unknown' : state.status}.`,
    );
}

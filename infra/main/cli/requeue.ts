import { requeueDelivery, type Requeued } from '../../../commands/webhook-delivery/requeue.ts';
import type { WebhookDeliveryId } from '../../../contracts/ids.ts';
import { Refusal } from '../../../contracts/problems.ts';
import { systemClock as clock } from '../../platform/clock.ts';
import type { Operator } from './operator.ts';

const AT_ONCE = 32;

export interface RequeueTally {
  readonly requeued: number;
  /** They had an attempt before them as they were. */
  readonly waiting: number;
  readonly refused: readonly { readonly delivery_id: WebhookDeliveryId; readonly reason: string }[];
}

/** Each is decided on its own stream; one that is refused does not hold up the others. */
export async function requeueAll(
  operator: Operator,
  ids: readonly WebhookDeliveryId[],
): Promise<RequeueTally> {
  const outcomes: (Requeued | Refused)[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const chunk = await Promise.all(ids.slice(from, from + AT_ONCE).map((id) => requeueOne(operator, id)));
    outcomes.push(...chunk);
  }
  const taken = outcomes.filter((outcome) => 'accountId' in outcome);
  const requeued = taken.filter(({ position }) => position !== undefined).length;
  const refused = outcomes.filter((outcome) => 'reason' in outcome);
  return { requeued, waiting: taken.length - requeued, refused };
}

type Refused = RequeueTally['refused'][number];

async function requeueOne(operator: Operator, id: WebhookDeliveryId): Promise<Requeued | Refused> {
  const { runner, context, noted } = operator;
  try {
    const outcome = await requeueDelivery({ runner, clock }, id, context);
    await noted(outcome.accountId, outcome.position);
    return outcome;
  } catch (error) {
    if (error instanceof Refusal) return { delivery_id: id, reason: error.message };
    throw error;
  }
}

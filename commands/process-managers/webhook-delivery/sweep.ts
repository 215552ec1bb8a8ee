import type { Logger } from 'pino';
import { hourMs } from '../../../contracts/durations.ts';
import type { WebhookDeliveryId } from '../../../contracts/ids.ts';
import type { Clock } from '../../../infra/platform/clock.ts';
import type { WakeUps } from '../../../infra/queue/types.ts';
import { schedulingWindowMs, wakeUpIdOf } from '../../webhook-delivery/index.ts';
import type { Sweep } from '../engine/host.ts';
import { pagingOverdue, wakeUpAll, type Due, type FindDue, type Place } from '../engine/overdue.ts';

/** Open deliveries, according to the read models. */
export interface OpenDeliveries {
  readonly due: FindDue<WebhookDeliveryId>;
  /** Some deliveries whose endpoint was deleted or disabled since then. */
  ofGone(since: Date, limit: number): Promise<readonly WebhookDeliveryId[]>;
}

export interface DeliveriesSweepPorts {
  readonly open: OpenDeliveries;
  readonly clock: Clock;
  readonly wakeUps: Pick<WakeUps, 'scheduleAll' | 'hasten'>;
  /** Cancels a delivery whose endpoint is deleted or disabled. */
  readonly cancel: (deliveryId: WebhookDeliveryId) => Promise<void>;
  readonly logger: Logger;
}

/**
 * How far ahead deliveries are handed to the queue, in ms. Workers schedule what is due within the whole scheduling window
 * themselves, so a delivery has the other half of it to appear in the read model before the sweep passes its due time.
 */
const aheadMs = schedulingWindowMs / 2;

/** Maximum interval of sweeps, so that none misses a delivery's due time; ms. */
const atLeastEveryMs = aheadMs / 2;

/** Deliveries overdue for less than this probably still have their wake-up; ms. */
const dueForMs = 5000;

/** Page size of a look-up. */
const page = 2000;

/** Pages per sweep, ten thousand deliveries; the next sweep continues behind them. */
const pages = 5;

/** Deliveries cancelled per sweep, of deleted or disabled endpoints. */
const goneLimit = 500;

/** Deliveries of an endpoint gone for longer are cancelled when they are due: none waits longer than this; ms. */
const goneWithinMs = 2 * hourMs;

/**
 * Hands deliveries to the queue shortly before they are due. Hands over overdue ones again: their wake-up was lost,
 * or they were not visible in time. The queue deduplicates wake-ups.
 */
export function deliveriesSweep(ports: DeliveriesSweepPorts, everyMs: number): Sweep {
  const handOver = handingOver(ports);
  const wakeOverdue = pagingOverdue({ ...ports, wakeUpIdOf, due: ports.open.due, dueForMs, page });
  return {
    name: 'deliveries',
    everyMs: Math.min(everyMs, atLeastEveryMs),
    run: async () => {
      await handOver();
      await wakeOverdue();
      await cancelGone(ports);
    },
  };
}

/** Advances through the due times, up to a minute from now, and hands over each delivery once. */
function handingOver(ports: DeliveriesSweepPorts): () => Promise<void> {
  const { open, clock, wakeUps } = ports;
  let past: Place | undefined;
  return async () => {
    const now = clock.now().getTime();
    const by = new Date(now + aheadMs);
    // After the clock was set back, deliveries may still appear before an old cursor.
    if (past === undefined || past.next_attempt_at > by)
      past = { next_attempt_at: new Date(now - dueForMs), id: '' };
    for (let taken = 0; taken < pages; taken += 1) {
      const due: readonly Due<WebhookDeliveryId>[] = await open.due(by, past, page);
      await wakeUpAll({ wakeUps, wakeUpIdOf }, due);
      const last = due.length === page ? due.at(-1) : undefined;
      past = last ?? { next_attempt_at: by, id: '' };
      if (last === undefined) return;
    }
  };
}

async function cancelGone({ open, clock, cancel, logger }: DeliveriesSweepPorts): Promise<void> {
  const since = new Date(clock.now().getTime() - goneWithinMs);
  const gone = await open.ofGone(since, goneLimit);
  await Promise.all(
    gone.map((id) =>
      cancel(id).catch((error: unknown) =>
        logger.warn(
          { err: error, delivery: id },
          'A delivery was not cancelled; it is retried at the next sweep.',
        ),
      ),
    ),
  );
}

import type { Logger } from 'pino';
import type { WebhookDeliveryId } from '../../contracts/ids.ts';
import type { Clock } from '../../infra/clock.ts';
import type { WakeUps } from '../../infra/queue/types.ts';
import { wakeUpIdOf } from '../deliveries/index.ts';
import type { OpenDeliveries, Place } from './open-deliveries.ts';
import type { Sweep } from './term.ts';

export interface DeliveriesSweepPorts {
  readonly open: OpenDeliveries;
  readonly clock: Clock;
  readonly wakeUps: Pick<WakeUps, 'scheduleAll'>;
  /** Cancels a delivery whose endpoint is gone. */
  readonly cancel: (deliveryId: WebhookDeliveryId) => Promise<void>;
  readonly logger: Logger;
}

/** One sweep looks at so many due deliveries, the next one at those behind them: forty thousand a minute every 3 s. */
const dueLimit = 2000;

/** What is due for less than this has its wake-up still, most likely; ms. */
const dueForMs = 5000;

/** How many wake-ups the queue is asked to take at once. */
const bunch = 500;

/** So many deliveries of endpoints that are gone are cancelled in one sweep. */
const goneLimit = 500;

/** Deliveries of an endpoint gone for longer are cancelled when they are due: none waits longer than this; ms. */
const goneWithinMs = 2 * 3_600_000;

/** Whose wake-up the queue lost gets it again; the same one is nothing new to a queue that has it. */
export function deliveriesSweep(ports: DeliveriesSweepPorts, everyMs: number): Sweep {
  let after: Place = start;
  return {
    name: 'deliveries',
    everyMs,
    run: async () => {
      after = await wakeDue(ports, after);
      await cancelGone(ports);
    },
  };
}

/** Where the first sweep begins, and the one after the last that was not cut short. */
const start: Place = { next_attempt_at: new Date(0), id: '' };

/** The longest due first, and around again: one endpoint's backlog does not keep the sweep from the others. */
async function wakeDue({ open, clock, wakeUps }: DeliveriesSweepPorts, after: Place): Promise<Place> {
  const now = clock.now();
  const dueBy = new Date(now.getTime() - dueForMs);
  const due = await open.due(dueBy, after, dueLimit);
  for (let from = 0; from < due.length; from += bunch) {
    const some = due.slice(from, from + bunch);
    await wakeUps.scheduleAll(
      some.map(({ id, attempt_count }) => ({ id: wakeUpIdOf(id, attempt_count + 1), dueAt: now })),
    );
  }
  return (due.length === dueLimit && due.at(-1)) || start;
}

async function cancelGone({ open, clock, cancel, logger }: DeliveriesSweepPorts): Promise<void> {
  const since = new Date(clock.now().getTime() - goneWithinMs);
  const gone = await open.ofGone(since, goneLimit);
  await Promise.all(
    gone.map((id) =>
      cancel(id).catch((error: unknown) => {
        logger.warn({ err: error, delivery: id }, 'A delivery was not cancelled and is at the next sweep.');
      }),
    ),
  );
}

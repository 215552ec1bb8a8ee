import type pg from 'pg';
import type { Logger } from 'pino';
import type { WebhookDeliveryId } from '../../contracts/ids.ts';
import type { Clock } from '../../infra/clock.ts';
import type { WakeUps } from '../../infra/queue/types.ts';
import { wakeUpIdOf } from '../deliveries/index.ts';
import type { Sweep } from './term.ts';

export interface DeliveriesSweepPorts {
  readonly pool: Pick<pg.Pool, 'query'>;
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

/** How far the last sweep came, by the time an attempt was due and the delivery's id. */
interface Place {
  readonly next_attempt_at: Date;
  readonly id: string;
}
const start: Place = { next_attempt_at: new Date(0), id: '' };

interface DueRow extends Place {
  readonly id: WebhookDeliveryId;
  readonly attempt_count: number;
}

/** The longest due first, and around again: one endpoint's backlog does not keep the sweep from the others. */
const dueDeliveries = `
  select id, attempt_count, next_attempt_at from read_model.webhook_deliveries
  where status in ('pending', 'retrying') and next_attempt_at <= $1
    and next_attempt_at >= $2 and (next_attempt_at, id) > ($2, $3)
  order by next_attempt_at, id limit ${dueLimit}`;

async function wakeDue({ pool, clock, wakeUps }: DeliveriesSweepPorts, after: Place): Promise<Place> {
  const now = clock.now();
  const dueBy = new Date(now.getTime() - dueForMs);
  const { rows } = await pool.query<DueRow>(dueDeliveries, [dueBy, after.next_attempt_at, after.id]);
  for (let from = 0; from < rows.length; from += bunch) {
    const some = rows.slice(from, from + bunch);
    await wakeUps.scheduleAll(
      some.map(({ id, attempt_count }) => ({ id: wakeUpIdOf(id, attempt_count + 1), dueAt: now })),
    );
  }
  return (rows.length === dueLimit && rows.at(-1)) || start;
}

const goneDeliveries = `
  select d.id
  from read_model.webhooks w
  cross join lateral (
    select id from read_model.webhook_deliveries
    where endpoint_id = w.id and status in ('pending', 'retrying') limit ${goneLimit}
  ) d
  where (w.disabled_at is not null or w.deleted_at is not null)
    and greatest(w.disabled_at, w.deleted_at) > $1
  limit ${goneLimit}`;

async function cancelGone({ pool, clock, cancel, logger }: DeliveriesSweepPorts): Promise<void> {
  const since = new Date(clock.now().getTime() - goneWithinMs);
  const { rows } = await pool.query<{ id: WebhookDeliveryId }>(goneDeliveries, [since]);
  await Promise.all(
    rows.map(({ id }) =>
      cancel(id).catch((error: unknown) => {
        logger.warn({ err: error, delivery: id }, 'A delivery was not cancelled and is at the next sweep.');
      }),
    ),
  );
}

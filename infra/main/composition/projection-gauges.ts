import type pg from 'pg';
import type { ProjectorObserver } from '../../../projections/index.ts';
import { live, loadCheckpoint } from '../../../projections/engine/checkpoint.ts';
import { countParked } from '../../../projections/engine/parking.ts';
import { countSessionsByStatus } from '../../../projections/queries/session.ts';
import type { Metrics } from '../../metrics/index.ts';
import { happeningMetrics } from './webhook-metrics.ts';

/** What an operator watches of the read models. Counted in the database, and only when scraped. */
export function projectionGauges(metrics: Metrics, pool: pg.Pool) {
  let lagMs = 0;
  const happened = happeningMetrics(metrics);
  const observer: ProjectorObserver = {
    applied: (batch) => {
      lagMs = batch.lagMs;
      happened(batch.types);
    },
  };
  metrics.gauge(
    'service_parked_events',
    'Events no read model could apply, by projection',
    async () => Object.fromEntries(await countParked(pool)),
    'projection',
  );
  metrics.gauge(
    'service_outdated_read_models',
    'Read models of another version, served until this one is built',
    async () => (await loadCheckpoint(pool, live)).outdated.size,
  );
  metrics.gauge('service_sessions', 'Sessions by status', () => countSessionsByStatus(pool), 'status');
  return { observer, lag: () => lagMs / 1000 };
}

import { dayMs } from '../../../contracts/durations.ts';
import { startProjector, unappliedSince } from '../../../projections/index.ts';
import type { Config } from '../../config/index.ts';
import { projectionGauges, backlogGauges } from '../composition/metrics.ts';
import { storeChecks, type Stores } from '../composition/ports.ts';
import type { ComposeRole } from './role.ts';

/** Keeps the read models up to date; of several projectors one leads, the others are on standby. */
export const projector: ComposeRole<Stores> = (stores) => {
  const { config, metrics, logger, clock, lifetime, pool, record } = stores;
  const { observer, lag } = projectionGauges(metrics, pool);
  backlogGauges(metrics, pool);
  const running = startProjector({
    store: record,
    pool,
    logger,
    clock,
    observer,
    keptDays: keptDays(config),
  });
  lifetime.defer('projector', () => running.close());
  metrics.gauge('service_projection_lag_seconds', 'Time from append until visible, of the last batch', lag);
  metrics.gauge(
    'service_projection_unapplied_seconds',
    'Age of the oldest event that the read models have not applied; 0 if they have applied all',
    async () => {
      const since = await unappliedSince({ store: record, pool });
      return since === undefined ? 0 : Math.max(0, (clock.now().getTime() - since.getTime()) / 1000);
    },
  );
  metrics.gauge('service_projector_working', '1 in the projector that holds the lock', () =>
    Number(running.working()),
  );
  return { checks: storeChecks(stores) };
};

const keptDays = ({ CAUSES_KEPT }: Config): number => Math.max(1, Math.ceil(CAUSES_KEPT / dayMs));

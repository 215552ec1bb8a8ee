import pino from 'pino';
import { projections as everyProjection, startProjector } from '../../../projections/index.ts';
import type { Projection } from '../../../projections/engine/projection.ts';
import { connectEventStore } from '../../event-store/client/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { connectPostgres } from '../../postgres/index.ts';
import type { DyingProjector } from './causes.test.ts';

/** A projector that kills itself in its first batch. */
const { storeUrl, postgresUrl, moment } = JSON.parse(process.argv[2] ?? '') as DyingProjector;
const logger = pino({ level: 'silent' });
const dieAt = (reached: DyingProjector['moment']) => {
  if (moment === reached) process.kill(process.pid, 'SIGKILL');
};

const dying = (projection: Projection): Projection => ({
  ...projection,
  open: async (...batch) => {
    const fold = await projection.open(...batch);
    return {
      apply: (event) => fold.apply(event),
      write: async () => {
        dieAt('before its rows are written');
        await fold.write();
        dieAt('between its rows and those of other tables');
      },
    };
  },
});

startProjector({
  store: connectEventStore({ url: storeUrl, logger }),
  pool: connectPostgres({ url: postgresUrl, logger }).pool,
  ...{ logger, clock: systemClock, batchEvents: 7 },
  projections: everyProjection.map((each) => (each.name === 'causes' ? dying(each) : each)),
  observer: { applied: () => dieAt('after its commit') },
});
process.once('disconnect', () => process.exit(0));

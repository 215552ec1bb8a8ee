import { buildPast, inPastSchema, projections, rebuildProjection } from '../../../../projections/index.ts';
import { systemClock as clock } from '../../../platform/clock.ts';
import type { RatioSubject } from '../subject.ts';
import { startRebuildable } from './r5-rebuild.ts';

const events = 20_000;

/** The same tables from the same log. Rebuilds read it once for each table, and compare and swap. */
export const asOf: RatioSubject = {
  kind: 'ratio',
  id: 'as-of',
  title: `all read models as of a moment / rebuilds of all of them, ${events} events`,
  pass: 0.8,
  stretch: 2,
  long: true,
  operations: events,
  prepare: async (bench) => {
    const { store, pool, close } = await startRebuildable(bench, events);
    const moment = await store.head();
    if (moment === undefined) throw new Error('Nothing was seeded.');
    const { signal } = new AbortController();
    return {
      ours: {
        name: 'buildPast',
        run: () =>
          inPastSchema(pool, async (client, schema) => {
            await buildPast(client, schema, moment, { store, clock, signal });
            const { rows } = await client.query<{ built: number }>(
              `select count(*)::integer as built from ${schema}.sessions`,
            );
            if (rows[0]?.built !== events) throw new Error(`Built ${rows[0]?.built} rows of ${events}.`);
          }),
      },
      raw: {
        name: 'rebuildProjection of each',
        run: async () => {
          for (const { name } of projections) await rebuildProjection(name, { store, pool });
        },
      },
      close,
    };
  },
};

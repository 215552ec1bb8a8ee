import { buildPast, inPastSchema, projections, rebuildProjection } from '../../../../projections/index.ts';
import { systemClock as clock } from '../../../platform/clock.ts';
import { openMillion } from '../million-events.ts';
import { setCheckpoint } from '../read-models.ts';
import { atLeast, type CheckSubject } from '../subject.ts';

const bars = { pass: 0.8, stretch: 2 };
const [all, tenth] = [1_000_000, 100_000] as const;

interface Taken {
  readonly seconds: number;
  /** User and system time of this process, which reads, folds and writes. */
  readonly cpuSeconds: number;
}

/**
 * All read models as of the end of a million events, against the rebuilds of all of them, one after the other, from the
 * first 100,000: a rebuild's speed does not depend on the size (R7), and forty of a million take a quarter of an hour.
 */
export const asOfMillion: CheckSubject = {
  kind: 'check',
  id: 'as-of-million',
  title: 'all read models as of a million events / rebuilds of all of them, events a second',
  unit: 'x',
  long: true,
  bars,
  async check(bench) {
    const { store, pool, endOf, close } = await openMillion(bench);
    try {
      await setCheckpoint(pool, endOf(tenth));
      const rebuilt = await taken(async () => {
        for (const { name } of projections) await rebuildProjection(name, { store, pool });
      });
      const { signal } = new AbortController();
      const built = await taken(() =>
        inPastSchema(pool, async (client, schema) => {
          await buildPast(client, schema, endOf(all), { store, clock, signal });
          const { rows } = await client.query<{ count: number }>(
            `select count(*)::integer as count from ${schema}.sessions`,
          );
          if (rows[0]?.count !== all / 10) throw new Error(`Built ${rows[0]?.count} rows.`);
        }),
      );
      const speed = (by: keyof Taken) => all / built[by] / (tenth / rebuilt[by]);
      return atLeast(bars, speed('seconds'), {
        by_cpu: speed('cpuSeconds'),
        ...{ seconds: built.seconds, cpu_seconds: built.cpuSeconds },
        events_a_second: all / built.seconds,
      });
    } finally {
      await close();
    }
  },
};

async function taken(work: () => Promise<void>): Promise<Taken> {
  const [startedAt, startedCpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(startedCpu);
  return { seconds: (performance.now() - startedAt) / 1000, cpuSeconds: (user + system) / 1e6 };
}

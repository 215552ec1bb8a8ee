import { pino } from 'pino';
import { rebuildProjection } from '../../../projections/index.ts';
import { connectEventStore } from '../../event-store/client/index.ts';
import { connectPostgres } from '../../postgres/index.ts';
import type { Sample } from './million-events.ts';
import { setCheckpoint } from './read-models.ts';

/**
 * Rebuilds the sessions from a store in a Postgres, up to each of the given positions in turn; all but the last are
 * warm-up. During the last it reports progress, time and memory to its parent.
 */
const [storeUrl = '', postgresUrl = '', ...positions] = process.argv.slice(2);
const logger = pino({ level: 'warn' }, process.stderr);
const store = connectEventStore({ url: storeUrl, logger });
const postgres = connectPostgres({ url: postgresUrl, logger });

async function rebuildTo(place: string, tell: (sample: Sample) => void): Promise<void> {
  const [commit = '', prepare = ''] = place.split('/');
  await setCheckpoint(postgres.pool, { commit: BigInt(commit), prepare: BigInt(prepare) });
  const startedAt = performance.now();
  const startedCpu = process.cpuUsage();
  let reached = 0;
  const tellOf = (events: number): void => {
    const { user, system } = process.cpuUsage(startedCpu);
    const ms = performance.now() - startedAt;
    tell({ events, ms, cpuMs: (user + system) / 1000, rssMb: process.memoryUsage.rss() / 2 ** 20 });
  };
  await rebuildProjection('sessions', {
    store,
    pool: postgres.pool,
    onProgress: ({ events }) => {
      if (events <= reached) return;
      reached = events;
      tellOf(events);
    },
  });
  tellOf(reached);
}

for (const [index, place] of positions.entries()) {
  const isLast = index === positions.length - 1;
  await rebuildTo(place, (sample) => isLast && process.send?.(sample));
}
await store.close();
await postgres.close();
process.disconnect();

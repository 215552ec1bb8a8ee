import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { percentile, timed } from '../latency.ts';
import { atMost, type Bench, type CheckSubject } from '../subject.ts';
import { guardOnReadSide, guardOnWriteSide, type GuardedSide } from './guarded-sides.ts';
import { asFigures, cpuInTurns, type Work } from './cpu-in-turns.ts';

const bars = { pass: 10, stretch: 5 };
const calls = 10_000;
const roundTrips = 1_000;

/** Starts a side in a directory of its own. */
async function started(bench: Bench, name: string, start: (bench: Bench) => Promise<GuardedSide>) {
  const directory = join(bench.directory, name);
  await mkdir(directory);
  return start({ ...bench, directory });
}

/** Milliseconds of consecutive requests. */
async function medianMs(work: Work): Promise<number> {
  const took: number[] = [];
  for (let index = 0; index < roundTrips; index += 1) took.push(await timed(work));
  return percentile(took, 0.5);
}

/**
 * Cost of `X-Service-Account` in the guard of a request, with warm caches. The write side reads the membership's stream
 * on each request: its answer is immediate while the guard is measured, and its round trip is measured separately. The
 * read side gets the membership in the query's snapshot; the two forms of the query are compared.
 */
export const accountHeader: CheckSubject = {
  kind: 'check',
  id: 'account-header',
  long: true,
  title:
    'CPU time that X-Service-Account adds to the guard from warm caches, store aside, the dearer of write and read side',
  bars,
  unit: 'us',
  async check(bench) {
    const write = await started(bench, 'write', guardOnWriteSide);
    const read = await started(bench, 'read', guardOnReadSide);
    try {
      const guards = await cpuInTurns(
        {
          ...{ write_with: write.guard.withHeader, write_without: write.guard.without },
          ...{ read_with: read.guard.withHeader, read_without: read.guard.without },
        },
        calls,
      );
      const added = (side: 'write' | 'read'): number =>
        guards[`${side}_with`].micros.median - guards[`${side}_without`].micros.median;
      return atMost(bars, Math.max(added('write'), added('read')), {
        ...{ write_added_us: added('write'), read_added_us: added('read') },
        ...asFigures(guards),
        ...asFigures(await cpuInTurns({ store_read: write.store.withHeader }, roundTrips)),
        store_read_p50_ms: await medianMs(write.store.withHeader),
        query_p50_ms: await medianMs(read.store.without),
        query_acting_p50_ms: await medianMs(read.store.withHeader),
      });
    } finally {
      await write.close();
      await read.close();
    }
  },
};

import type pg from 'pg';
import { applyBatch, projections } from '../../../../projections/index.ts';
import { live } from '../../../../projections/engine/checkpoint.ts';
import type { Projection } from '../../../../projections/engine/projection.ts';
import type { RecordedEvent } from '../../../event-store/client/index.ts';
import { percentile } from '../latency.ts';
import { startRebuildable } from '../rows/r5-rebuild.ts';
import { atMost, type CheckSubject } from '../subject.ts';

const events = 20_000;
const batchEvents = 500;
const rounds = 5;
const bars = { pass: 8, stretch: 4 };

type Work = (projections: readonly Projection[]) => Promise<void>;

/**
 * Cost of causes to the projector: CPU time of its process with all read models, against all but causes, in alternating
 * rounds. Measured once like R5, including reading the log, and once like R6, of events in memory; the larger share is
 * judged.
 */
export const causesCost: CheckSubject = {
  kind: 'check',
  id: 'causes',
  title: `CPU time of the projector with causes / without them, minus 1, ${events} events, as in R5 and R6`,
  unit: '%',
  long: true,
  bars,
  async check(bench) {
    const { store, pool, close } = await startRebuildable(bench, events);
    const client = await pool.connect();
    try {
      await client.query('set synchronous_commit = off');
      const read: RecordedEvent[] = [];
      for await (const event of store.readAll()) read.push(event);
      const folded = await shareOf(async (built) => {
        await empty(client);
        for (let from = 0; from < read.length; from += batchEvents)
          await apply(client, built, read.slice(from, from + batchEvents));
      });
      const rebuilt = await shareOf(async (built) => {
        await empty(client);
        let batch: RecordedEvent[] = [];
        for await (const event of store.readAll()) {
          if (batch.push(event) < batchEvents) continue;
          await apply(client, built, batch);
          batch = [];
        }
        if (batch.length > 0) await apply(client, built, batch);
      });
      return atMost(bars, Math.max(folded.share, rebuilt.share), {
        ...{ r6_share: folded.share, r6_us: folded.without, r6_us_with: folded.with },
        ...{ r5_share: rebuilt.share, r5_us: rebuilt.without, r5_us_with: rebuilt.with },
      });
    } finally {
      client.release();
      await close();
    }
  },
};

async function apply(client: pg.ClientBase, built: readonly Projection[], batch: readonly RecordedEvent[]) {
  const { parked } = await applyBatch(client, live, built, batch);
  if (parked.length > 0) throw new Error(parked[0]?.reason);
}

const empty = (client: pg.ClientBase) =>
  client.query(
    `truncate ${projections.map(({ name }) => `read_model.${name}`).join(', ')}, runtime.checkpoints`,
  );

/** Median of the rounds after one warm-up, in percent, and microseconds for each event. */
async function shareOf(work: Work) {
  const withoutCauses = projections.filter(({ name }) => name !== 'causes');
  const [taken, least]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const [without, all] = [
      await cpuMicros(() => work(withoutCauses)),
      await cpuMicros(() => work(projections)),
    ];
    if (round === 0) continue;
    taken.push(all / events);
    least.push(without / events);
  }
  const [one, other] = [percentile(taken, 0.5), percentile(least, 0.5)];
  return { with: one, without: other, share: 100 * (one / other - 1) };
}

async function cpuMicros(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

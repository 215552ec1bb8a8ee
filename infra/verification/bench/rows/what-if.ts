import { join } from 'node:path';
import { demandBetween } from '../../../../projections/index.ts';
import { connectEventStore } from '../../../event-store/client/index.ts';
import { whatIf } from '../../../fleet/what-if.ts';
import { timed } from '../latency.ts';
import { startReadModels } from '../read-models.ts';
import { seedLog } from '../seed-log.ts';
import { startStoreProcess } from '../store-process.ts';
import { atMost, type CheckSubject } from '../subject.ts';

const sessions = 100_000;
/** Requested, ready, one operation, destroyed. */
const perStream = 5;
const bars = { pass: 5, stretch: 3 };
const fleet = { capacities: Array<number>(200).fill(16), policy: 'least-loaded', losses: [] } as const;

export const fleetWhatIf: CheckSubject = {
  kind: 'check',
  id: 'what-if',
  long: true,
  title: `what ${fleet.capacities.length} nodes would have done with ${sessions} sessions: log read and simulated`,
  bars,
  unit: 's',
  async check({ seed, directory, logger }) {
    const server = await startStoreProcess(join(directory, 'events'));
    const store = connectEventStore({ url: server.url, logger });
    const models = await startReadModels(directory, logger);
    try {
      await seedLog(store, { seed, events: sessions * perStream, perStream, perAppend: perStream });
      // One session per second: the window is as long as all take.
      const from = Date.parse('2026-01-05T12:00:00Z');
      const window = { from, to: from + (sessions + 1) * 1000 };
      let found = 0;
      let simulateMs = 0;
      const readMs = await timed(async () => {
        const { arrivals } = await demandBetween(models.pool, window, { store });
        simulateMs = await timed(async () => (found = whatIf(arrivals, fleet, window).sessions));
      });
      if (found !== sessions) throw new Error(`Found ${found} sessions of ${sessions}.`);
      return atMost(bars, readMs / 1000, { simulate_ms: simulateMs, events: sessions * perStream });
    } finally {
      await store.close();
      await server.stop();
      await models.close();
    }
  },
};

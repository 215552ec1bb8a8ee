import { randomUUID } from 'node:crypto';
import type { IncidentEvent } from '../../../../contracts/events/incident.ts';
import { toId } from '../../../../contracts/ids.ts';
import { metadataBy } from '../../../../projections/testing/index.ts';
import { connectEventStore } from '../../../event-store/client/index.ts';
import { until } from '../../testbed/index.ts';
import { percentile } from '../latency.ts';
import { inFlight } from '../load.ts';
import { filledAccount } from '../read-side.ts';
import { serveApps } from '../served-apps.ts';
import { startStoreProcess } from '../store-process.ts';
import { memoryOf, openStream, type OpenStream } from '../streams.ts';
import { atMost, type CheckSubject } from '../subject.ts';

const bars = { pass: 250, stretch: 100 };
const mostKb = 40;
const streams = 1_000;
const warmUp = 50;
const changes = 20;

/** Each stream sends the state when it begins, and at each change. */
const theStatus = { path: '/v1/status/stream', event: 'status.updated', openAfter: 1 } as const;

/** Changes of an incident: time from before the append until every stream has them; and memory of an idle stream. */
export const statusStreams: CheckSubject = {
  kind: 'check',
  id: 'status-streams',
  long: true,
  title: `append to stream p99 with ${streams} streams of the status open (an idle one takes at most ${mostKb} kB)`,
  bars,
  unit: 'ms',
  async check({ directory, logger }) {
    const server = await startStoreProcess(directory);
    const store = connectEventStore({ url: server.url, logger });
    const entry = new URL('./status-server.ts', import.meta.url);
    const apps = await serveApps<'api'>(entry, [server.url, directory]);
    const open: OpenStream[] = [];
    const listenTo = async () => void open.push(await openStream({ port: apps.ports.api, ...theStatus }));
    try {
      // Warm-up: lasting state of the first streams exists before the first reading.
      await inFlight(warmUp, 10, listenTo);
      const before = await memoryOf(apps);
      await inFlight(streams - warmUp, 20, listenTo);
      const kbEach = ((await memoryOf(apps)) - before) / (streams - warmUp);
      const id = toId('incident', randomUUID());
      const took: number[] = [];
      for (let change = 0; change < changes; change += 1) {
        const appendedAt = performance.now();
        const metadata = metadataBy(filledAccount(0));
        await store.append(`incident-${id.slice(4)}`, 'any', [
          { ...changeOf(id, change), id: randomUUID(), metadata },
        ]);
        await until(() => open.every(({ arrivedAt }) => arrivedAt.length > change + 1), { limitMs: 30_000 });
        took.push(...open.map(({ arrivedAt }) => (arrivedAt[change + 1] ?? appendedAt) - appendedAt));
      }
      const [p50_ms, p99_ms] = [percentile(took, 0.5), percentile(took, 0.99)];
      const found = atMost(bars, p99_ms, { p50_ms, p99_ms, kb_each: kbEach, deliveries: took.length });
      return { ...found, passed: found.passed && kbEach <= mostKb };
    } finally {
      for (const { sent } of open) sent.destroy();
      await apps.close();
      await store.close();
      await server.stop();
    }
  },
};

function changeOf(incidentId: ReturnType<typeof toId<'incident'>>, change: number): IncidentEvent {
  const at = new Date().toISOString();
  const message = `Known as number ${change}.`;
  if (change > 0)
    return {
      type: 'IncidentUpdated',
      data: { incidentId, status: 'identified', message, isMailed: false, at },
    };
  const about = { title: 'Webhooks arrive late', impact: 'minor', components: ['webhooks'] } as const;
  return { type: 'IncidentOpened', data: { incidentId, ...about, components: ['webhooks'], message, at } };
}

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { request } from 'undici';
import { toId } from '../../../../contracts/ids.ts';
import { rebuildProjection } from '../../../../projections/index.ts';
import { connectEventStore } from '../../../event-store/client/index.ts';
import { positionText } from '../../../event-store/client/position.ts';
import { listen } from '../../../http/index.ts';
import { connectPostgres } from '../../../postgres/index.ts';
import { readApi } from '../bench-read-api.ts';
import { percentile, timed } from '../latency.ts';
import { setCheckpoint, startReadModels } from '../read-models.ts';
import { addReader, filledAccount } from '../read-side.ts';
import { seededStream, seedLog } from '../seed-log.ts';
import { startStoreProcess } from '../store-process.ts';
import { atMost, type Bars, type Bench, type CheckSubject } from '../subject.ts';

const requests = 100;
const warmUp = 20;
/** Number of events of the sessions that are read, by the number of their stream. */
const lengths = [100, 10_000, 200] as const;

/** The read API on a log with a session of each length, whose events have one request each as cause. */
async function startPasts({ seed, directory, logger }: Bench) {
  const server = await startStoreProcess(join(directory, 'events'));
  const store = connectEventStore({ url: server.url, logger });
  const models = await startReadModels(directory, logger);
  const accounts = [filledAccount(0)];
  for (const [firstStream, events] of lengths.entries())
    await seedLog(store, { seed, events, perStream: events, perAppend: 500, accounts, firstStream });
  const head = await store.head();
  if (head === undefined) throw new Error('Nothing was seeded.');
  await setCheckpoint(models.pool, head);
  for (const name of ['sessions', 'causes']) await rebuildProjection(name, { store, pool: models.pool });
  const { token } = await addReader(models.pool, 0);
  const postgres = connectPostgres({ url: models.url, logger });
  const { port, close } = await listen(readApi(models.url, { store, postgres }), 0);
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${token}`, 'x-request-id': randomUUID() };
    const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`, { headers });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${path} was answered ${statusCode}: ${text}`);
  };
  return {
    /** Median milliseconds of consecutive requests. */
    p50: async (path: string) => {
      const took: number[] = [];
      for (let index = -warmUp; index < requests; index += 1) {
        const ms = await timed(() => get(path));
        if (index >= 0) took.push(ms);
      }
      return percentile(took, 0.5);
    },
    idOf: (events: (typeof lengths)[number]) => uuidIn(seededStream(seed, lengths.indexOf(events))),
    asOf: `as_of=${encodeURIComponent(positionText(head))}`,
    close: async () => {
      await close();
      await postgres.close();
      await store.close();
      await server.stop();
      await models.close();
    },
  };
}

const uuidIn = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

type Pasts = Awaited<ReturnType<typeof startPasts>>;

const subject = (
  about: Pick<CheckSubject, 'id' | 'title' | 'unit' | 'bars'>,
  measure: (pasts: Pasts) => Promise<{ readonly value: number; readonly figures: Record<string, number> }>,
): CheckSubject => ({
  ...about,
  kind: 'check',
  long: true,
  async check(bench) {
    const pasts = await startPasts(bench);
    try {
      const { value, figures } = await measure(pasts);
      return atMost(about.bars, value, { ...figures, requests });
    } finally {
      await pasts.close();
    }
  },
});

/** The moment is the end of the log, so the whole stream is folded. Compared with reading the current row. */
const pastOf = (events: 100 | 10_000, bars: Bars) =>
  subject(
    { id: `past-${events}`, title: `as_of of a session with ${events} events, p50`, unit: 'ms', bars },
    async ({ p50, idOf, asOf }) => {
      const path = `/v1/sessions/${toId('session', idOf(events))}`;
      return { value: await p50(`${path}?${asOf}`), figures: { live_ms: await p50(path) } };
    },
  );

export const pastOfFew = pastOf(100, { pass: 15, stretch: 5 });
export const pastOfMany = pastOf(10_000, { pass: 150, stretch: 75 });

export const historyPage = subject(
  {
    id: 'past-history',
    title: 'page of the history of a session / its as_of, p50, the worse of 100 and 10 000 events',
    unit: 'x',
    bars: { pass: 1.5, stretch: 1.2 },
  },
  async ({ p50, idOf, asOf }) => {
    const figures: Record<string, number> = {};
    const ratios: number[] = [];
    for (const events of [100, 10_000] as const) {
      const path = `/v1/sessions/${toId('session', idOf(events))}`;
      const [past, page] = [await p50(`${path}?${asOf}`), await p50(`${path}/history`)];
      ratios.push(page / past);
      Object.assign(figures, { [`past_ms_of_${events}`]: past, [`page_ms_of_${events}`]: page });
    }
    return { value: Math.max(...ratios), figures };
  },
);

export const requestTree = subject(
  {
    id: 'request-tree',
    title: 'tree of a request with 200 events, p50',
    unit: 'ms',
    bars: { pass: 30, stretch: 15 },
  },
  async ({ p50, idOf }) => ({ value: await p50(`/v1/requests/${idOf(200)}`), figures: {} }),
);

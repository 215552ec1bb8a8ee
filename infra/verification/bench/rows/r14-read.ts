import { Agent, request } from 'undici';
import { inFlight } from '../load.ts';
import { startReadModels } from '../read-models.ts';
import { fillSessions, filledAccount, filledSession, type Filled } from '../read-side.ts';
import { serveApps } from '../served-apps.ts';
import type { Bench, RatioSubject } from '../subject.ts';

const clients = 32;
const sessions = 10_000;

/** The read API and the bare route on one table, in one process, with sessions to read. */
export async function startReads({ directory, logger }: Bench) {
  const models = await startReadModels(directory, logger);
  const filled = await fillSessions(models.pool, sessions, 1);
  const apps = await serveApps<'bare' | '0'>(new URL('../read-server.ts', import.meta.url), [models.url]);
  const agent = new Agent({ connections: clients });
  return {
    filled,
    pool: models.pool,
    cpuUsage: apps.cpuUsage,
    readThroughApi: reader(agent, apps.ports[0], filled),
    readBare: reader(agent, apps.ports.bare, filled),
    close: async () => {
      await agent.close();
      await apps.close();
      await models.close();
    },
  };
}

/** Reads a session by its number. */
const reader =
  (dispatcher: Agent, port: number, { readers }: Filled) =>
  async (index: number) => {
    const url = `http://127.0.0.1:${port}/v1/sessions/${filledSession(index % sessions)}`;
    const headers = { authorization: `Bearer ${readers[0].token}`, 'x-account': filledAccount(0) };
    const answer = await request(url, { dispatcher, headers });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`A read was answered ${answer.statusCode}.`);
  };

export const readById: RatioSubject = {
  kind: 'ratio',
  id: 'R14',
  title: `read of one session / bare express with the same named query, ${clients} in flight`,
  pass: 0.6,
  stretch: 0.8,
  operations: 2_000,
  prepare: async (bench) => {
    const { readThroughApi, readBare, cpuUsage, close } = await startReads(bench);
    const reading = (read: (index: number) => Promise<void>) => (operations: number) =>
      inFlight(operations, clients, read);
    return {
      ours: { name: 'GET /v1/sessions/{id}', run: reading(readThroughApi), cpuUsage },
      raw: { name: 'bare express and pg', run: reading(readBare), cpuUsage },
      close,
    };
  },
};

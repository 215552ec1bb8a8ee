import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { Agent, request } from 'undici';
import type { Ask, Request } from './asks.ts';
import { timed } from './latency.ts';
import { inFlight } from './load.ts';
import { addReadModels, startReadModels } from './read-models.ts';
import { fillSessions, type Filled } from './read-side.ts';
import { serveApps } from './served-apps.ts';
import { onceInRun, type Bench } from './subject.ts';

/** How many sessions a table has, and of how many accounts. */
export type Shape = Pick<Filled, 'sessions' | 'accounts'>;

interface FilledTable extends Filled {
  readonly database: string;
}

export interface Tables {
  /** Milliseconds of `times` requests to each table, asked in turns: what disturbs one disturbs all. */
  readonly measure: (
    ask: Ask,
    times: number,
  ) => Promise<readonly { readonly shape: Shape; readonly took: readonly number[] }[]>;
  readonly close: () => Promise<void>;
}

/** Two at once: enough that a query meets another one, too few to measure a queue. */
const concurrency = 2;
/** Long enough for Node to have compiled what runs. */
const warmUp = 300;

/** Tables of these shapes, each in a database of its own, and the read API on them. They are filled once in a run. */
export function tablesOf(shapes: readonly Shape[]): (bench: Bench) => Promise<Tables> {
  const name = `tables-${shapes.map(({ sessions }) => sessions).join('-')}`;
  const filled = onceInRun((run) => fill(join(run.directory, name), run.logger, shapes));
  return async ({ run }) => serve(join(run.directory, name), run.logger, await filled(run));
}

async function fill(
  directory: string,
  logger: Logger,
  shapes: readonly Shape[],
): Promise<readonly FilledTable[]> {
  await mkdir(directory, { recursive: true });
  const server = await startReadModels(directory, logger);
  const tables: FilledTable[] = [];
  for (const { sessions, accounts } of shapes) {
    const database = `sessions_${sessions}_of_${accounts}`;
    const models = await addReadModels(server, database, logger);
    tables.push({ database, ...(await fillSessions(models.pool, sessions, accounts)) });
    await models.close();
  }
  await server.close();
  return tables;
}

async function serve(directory: string, logger: Logger, tables: readonly FilledTable[]): Promise<Tables> {
  const server = await startReadModels(directory, logger);
  const urls = tables.map(({ database }) => Object.assign(new URL(server.url), { pathname: database }).href);
  const apps = await serveApps<string>(new URL('./read-server.ts', import.meta.url), urls);
  const agent = new Agent({ connections: concurrency });

  const get = async (place: number, { path, reader }: Request): Promise<void> => {
    const answer = await request(`http://127.0.0.1:${apps.ports[place]}${path}`, {
      dispatcher: agent,
      headers: { authorization: `Bearer ${reader.token}` },
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`${path} was answered ${answer.statusCode}.`);
  };
  return {
    measure: async (ask, times) => {
      const measured = tables.map((shape): { shape: FilledTable; took: number[] } => ({ shape, took: [] }));
      await inFlight(warmUp + times, concurrency, async (index) => {
        for (const [place, { shape, took }] of measured.entries()) {
          const asked = ask(shape, index);
          const ms = await timed(() => get(place, asked));
          if (index >= warmUp) took.push(ms);
        }
      });
      return measured;
    },
    close: async () => {
      await agent.close();
      await apps.close();
      await server.close();
    },
  };
}

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import { Agent, request } from 'undici';
import type { Ask, Request } from './asks.ts';
import { timed } from './latency.ts';
import { inFlight } from './load.ts';
import { addReadModels, startReadModels } from './read-models.ts';
import { fillSessions, type Filled } from './read-side.ts';
import { serveApps } from './served-apps.ts';
import { onceInRun, type Bench } from './subject.ts';

/** Number of sessions in a table, and of their accounts. */
export type Shape = Pick<Filled, 'sessions' | 'accounts'>;

/** Fills a table of a shape. Its rows are determined by their number. */
export interface Filling<Shape, Table extends Shape> {
  readonly databaseOf: (shape: Shape) => string;
  readonly fill: (pool: pg.Pool, shape: Shape) => Promise<Table>;
}

/** A table and the name of its database. */
interface Place<Table> {
  readonly database: string;
  readonly table: Table;
}

export interface Tables<Table = Filled> {
  /** Milliseconds of `times` requests to each table, in turns, so that disturbances affect all of them. */
  readonly measure: (
    ask: Ask<Table>,
    times: number,
    /** Warm-up requests, which are not measured. */
    warming?: number,
  ) => Promise<readonly { readonly shape: Table; readonly took: readonly number[] }[]>;
  readonly close: () => Promise<void>;
}

/** Two at once: enough for queries to overlap, too few to measure a queue. */
const concurrency = 2;
/** Long enough for Node to compile the code. */
const warmUp = 300;

/** Tables of sessions. */
export const tablesOf = (shapes: readonly Shape[]): ((bench: Bench) => Promise<Tables>) =>
  filledTables(shapes, {
    databaseOf: ({ sessions, accounts }) => `sessions_${sessions}_of_${accounts}`,
    fill: (pool, { sessions, accounts }) => fillSessions(pool, sessions, accounts),
  });

/** Tables of these shapes, each in a database of its own, and the read API on them. They are filled once in a run. */
export function filledTables<Shape, Table extends Shape>(
  shapes: readonly Shape[],
  filling: Filling<Shape, Table>,
): (bench: Bench) => Promise<Tables<Table>> {
  const name = `tables-${shapes.map(filling.databaseOf).join('-')}`;
  const filled = onceInRun((run) => fill(join(run.directory, name), run.logger, shapes, filling));
  return async ({ run }) => serve(join(run.directory, name), run.logger, await filled(run));
}

async function fill<Shape, Table extends Shape>(
  directory: string,
  logger: Logger,
  shapes: readonly Shape[],
  filling: Filling<Shape, Table>,
): Promise<readonly Place<Table>[]> {
  await mkdir(directory, { recursive: true });
  const server = await startReadModels(directory, logger);
  const places: Place<Table>[] = [];
  for (const shape of shapes) {
    const database = filling.databaseOf(shape);
    const models = await addReadModels(server, database, logger);
    places.push({ database, table: await filling.fill(models.pool, shape) });
    await models.close();
  }
  await server.close();
  return places;
}

async function serve<Table>(
  directory: string,
  logger: Logger,
  places: readonly Place<Table>[],
): Promise<Tables<Table>> {
  const server = await startReadModels(directory, logger);
  const urls = places.map(({ database }) => Object.assign(new URL(server.url), { pathname: database }).href);
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
    measure: async (ask, times, warming = warmUp) => {
      const measured = places.map(({ table }): { shape: Table; took: number[] } => ({
        shape: table,
        took: [],
      }));
      await inFlight(warming + times, concurrency, async (index) => {
        for (const [place, { shape, took }] of measured.entries()) {
          const asked = ask(shape, index);
          const ms = await timed(() => get(place, asked));
          if (index >= warming) took.push(ms);
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

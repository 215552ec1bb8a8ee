import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { foreignIn, type Config, type Environment } from '../../config/index.ts';
import { eventStoreUser } from '../../event-store/server/access.ts';
import { startPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from '../embedded/postgres.ts';
import { freePort } from '../../platform/free-port.ts';
import type { Lifetime } from '../lifetime.ts';
import type { Report } from './report.ts';
import { supervise, type Observer } from './supervised-process.ts';

export interface StoresOptions {
  readonly config: Config;
  readonly environment: Environment;
  readonly dataDir: string;
  /** Of the embedded stores. */
  readonly passwords: { readonly postgres: string; readonly eventStore: string };
  readonly report: Report;
  readonly observer: Observer;
  readonly lifetime: Lifetime;
}

interface Store {
  readonly url: string;
  readonly pid: () => number | undefined;
}

const RESTART_MS = 500;
const given = (url: string): Store => ({ url, pid: () => undefined });

/**
 * Starts the stores without a configured URL, concurrently; they stop last. `urls`: variables with the stores' URLs, for the
 * roles and the operator's commands.
 */
export async function startStores(options: StoresOptions) {
  const { EVENTSTORE_URL, POSTGRES_URL, QUEUE_URL } = options.config;
  const [postgres, eventStore] = await Promise.all([
    POSTGRES_URL === undefined ? embeddedPostgres(options) : given(POSTGRES_URL),
    EVENTSTORE_URL === undefined ? embeddedEventStore(options) : given(EVENTSTORE_URL),
  ]);
  return {
    urls: {
      EVENTSTORE_URL: eventStore.url,
      POSTGRES_URL: postgres.url,
      QUEUE_URL: QUEUE_URL ?? postgres.url,
    },
    /** Process ids of the embedded stores. */
    processes: () => ({ postgres: postgres.pid(), 'event-store': eventStore.pid() }),
  };
}

async function embeddedEventStore({
  config,
  environment,
  dataDir,
  passwords,
  report,
  observer,
  lifetime,
}: StoresOptions) {
  const port = await freePort();
  const process = supervise(
    {
      name: 'event-store',
      program: 'event-store',
      args: [join(dataDir, 'event-store'), String(port), config.LOG_LEVEL, String(config.SHUTDOWN_LIMIT)],
      environment: { ...foreignIn(environment), EVENT_STORE_PASSWORD: passwords.eventStore },
      logFile: join(dataDir, 'logs', 'event-store.log'),
    },
    observer,
  );
  lifetime.defer('event-store', () => process.stop(config.SHUTDOWN_LIMIT));
  await report.step('event store', () => process.firstReady);
  return {
    url: `esdb://${eventStoreUser}:${passwords.eventStore}@127.0.0.1:${port}?tls=false`,
    pid: process.pid,
  };
}

async function embeddedPostgres({ dataDir, passwords, report, observer, lifetime }: StoresOptions) {
  const options = {
    dataDir: join(dataDir, 'postgres'),
    logFile: join(dataDir, 'logs', 'postgres.log'),
    password: passwords.postgres,
    port: await freePort(),
  };
  let server = await report.step('Postgres', () => startPostgres(options));
  const stopping = new AbortController();
  lifetime.defer('postgres', () => {
    stopping.abort();
    return server.stop();
  });
  keepRunning().catch(() => undefined);
  return { url: server.url, pid: () => server.pid };

  async function keepRunning(): Promise<void> {
    for (;;) {
      observer.changed();
      const how = await server.ended;
      if (stopping.signal.aborted) return;
      observer.crashed('postgres', how, RESTART_MS);
      server = await restart(options, stopping.signal);
    }
  }
}

/** A server that becomes ready during shutdown is stopped again. */
async function restart(options: EmbeddedPostgresOptions, stopping: AbortSignal): Promise<EmbeddedPostgres> {
  for (;;) {
    await delay(RESTART_MS);
    try {
      const server = await startPostgres(options);
      if (stopping.aborted) await server.stop();
      return server;
    } catch (error) {
      if (stopping.aborted) throw error;
    }
  }
}

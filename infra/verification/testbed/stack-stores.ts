import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../../main/embedded/postgres.ts';
import { freePort } from '../../platform/free-port.ts';
import { newCluster } from './cluster.ts';
import { startEventStore, type TestEventStore } from './event-store.ts';
import { keepRunning, type KeptStore } from './kept-store.ts';
import { startRedis, type TestRedis } from './redis.ts';

/** Stores of a stack that the testbed runs instead of the supervisor. */
export interface StackStores {
  readonly eventStore: TestEventStore;
  readonly postgres: KeptStore & { readonly url: string };
  /** Only on demand: the queue is on Postgres otherwise. */
  readonly redis: TestRedis | undefined;
  readonly processes: () => Readonly<Record<string, number | undefined>>;
  stop(): Promise<void>;
}

/** Starts the stores in the directories that the supervisor would use. */
export async function startStores(dataDir: string, withRedis: boolean): Promise<StackStores> {
  const logs = join(dataDir, 'logs');
  mkdirSync(logs, { recursive: true });
  const [eventStore, postgres, redis] = await Promise.all([
    startEventStore(join(dataDir, 'event-store'), join(logs, 'event-store.log')),
    keptPostgres(join(dataDir, 'postgres'), join(logs, 'postgres.log')),
    withRedis ? startRedis() : undefined,
  ]);
  return {
    eventStore,
    postgres,
    redis,
    processes: () => ({ 'event-store': eventStore.pid(), postgres: postgres.pid() }),
    stop: async () => {
      await Promise.all([eventStore.stop(), postgres.stop(), redis?.stop()]);
    },
  };
}

async function keptPostgres(dataDir: string, logFile: string): Promise<StackStores['postgres']> {
  const options = { dataDir, logFile, password: await newCluster(dataDir), port: await freePort() };
  const kept = await keepRunning(() => startPostgres(options));
  return { ...kept, url: `postgres://service:${options.password}@127.0.0.1:${options.port}/postgres` };
}

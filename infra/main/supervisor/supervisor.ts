import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config, Environment } from '../../config/index.ts';
import type { Lifetime } from '../lifetime.ts';
import { migrateAll } from '../migrations.ts';
import type { RoleName } from '../roles/table.ts';
import { baseUrl, choosePorts, healthUrl } from './addresses.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { endLeftovers } from './leftovers.ts';
import { allReady } from './readiness.ts';
import type { Report } from './report.ts';
import { loadSecrets } from './secrets.ts';
import { removeStack, writeStack } from './stack-file.ts';
import { startStores } from './stores.ts';
import { supervise, type Observer, type SupervisedProcess } from './supervised-process.ts';

export interface StackOptions {
  readonly config: Config;
  readonly environment: Environment;
  readonly roles: readonly RoleName[];
  readonly report: Report;
  /** Everything started is deferred to it; closing it stops roles in the reverse order, stores last. */
  readonly lifetime: Lifetime;
  /** Ends the wait for a stack that is still starting. */
  readonly signal: AbortSignal;
}

export interface Stack {
  readonly baseUrl: string;
  readonly dataDir: string;
  /** The variables the roles run with, secrets included. */
  readonly environment: Environment;
}

const PATIENCE_MS = 30_000;
/** What a process may take beyond its own limit before it is killed. */
const FORCE_AFTER_MS = 2_000;

/** Starts the stores, then the roles, and resolves when all of them serve. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { config, report, lifetime, signal } = options;
  const dataDir = resolve(config.DATA_DIR);
  mkdirSync(join(dataDir, 'logs'), { recursive: true });
  await lockDataDir(dataDir);
  await endLeftovers(dataDir);
  lifetime.defer('stack file', () => removeStack(dataDir));

  let publish = (): void => undefined;
  const observer: Observer = {
    changed: () => publish(),
    crashed: (name, how, restartInMs) =>
      report.warn(
        `${name} ended (${how}); starting it again in ${restartInMs / 1000} s. See logs/${name}.log.`,
      ),
  };
  const { POSTGRES_PASSWORD, ...secrets } = await loadSecrets(dataDir);
  const stores = await startStores({ ...options, dataDir, postgresPassword: POSTGRES_PASSWORD, observer });
  signal.throwIfAborted();
  await report.step('schema', () => migrateAll(stores.urls.POSTGRES_URL));

  const ports = await choosePorts(config);
  const base = baseUrl(config, ports);
  const shared = { ...stores.urls, ...ports, DATA_DIR: dataDir, BASE_URL: base };
  const peers = options.roles.filter((role) => role !== 'gateway').map((role) => healthUrl(ports, role));
  const environment = { ...secrets, ...options.environment, ...shared, READY_PEERS: peers.join() };

  const running: SupervisedProcess[] = [];
  let ready = false;
  publish = () => {
    const pids = Object.fromEntries(running.map((each) => [each.name, each.pid()]));
    writeStack(dataDir, {
      ready,
      base_url: base,
      write_url: healthUrl(ports, 'write-api'),
      read_url: healthUrl(ports, 'read-api'),
      processes: { supervisor: process.pid, ...stores.processes(), ...pids },
      environment: shared,
    });
  };
  for (const role of options.roles) {
    const logFile = join(dataDir, 'logs', `${role}.log`);
    const each = supervise(
      { name: role, entry: 'role-process.ts', args: [role], environment, logFile },
      observer,
    );
    running.push(each);
    lifetime.defer(role, () => each.stop(config.SHUTDOWN_LIMIT + FORCE_AFTER_MS));
  }
  await Promise.all(running.map((each) => report.step(each.name, () => each.firstReady)));
  await report.step('everything serves', () =>
    allReady(Object.fromEntries(options.roles.map((role) => [role, healthUrl(ports, role)])), {
      signal,
      patienceMs: PATIENCE_MS,
      onLate: (missing) => report.warn(`Still waiting for ${missing.join('; ')}`),
    }),
  );
  ready = true;
  publish();
  return { baseUrl: base, dataDir, environment };
}

import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { lockDirectory } from '../../platform/directory-lock.ts';
import {
  loadConfigWithFiles,
  need,
  secretFilesIn,
  type Config,
  type Environment,
} from '../../config/index.ts';
import { assertNoPlain, openTls } from '../composition/peers.ts';
import type { Lifetime } from '../lifetime.ts';
import { migrateAll } from '../migrations.ts';
import { makePrivate } from '../private-files.ts';
import { type RoleEntry, type RoleName, roles, stopLimitMs } from '../roles/table.ts';
import { baseUrl, choosePorts, healthUrl, type Ports } from './addresses.ts';
import { allReady } from './readiness.ts';
import { createStackPage, endLeftovers } from './stack-file.ts';
import type { Report } from './report.ts';
import { embeddedPasswords, environmentOf, loadSecrets, ownSecrets } from './secrets.ts';
import { startStores, type StoresOptions } from './stores.ts';
import { type Observer, supervise, type SupervisedProcess } from './supervised-process.ts';

export interface StackOptions {
  readonly config: Config;
  /** As given to the supervisor: secrets may be named by their files. */
  readonly environment: Environment;
  readonly roles: readonly RoleName[];
  readonly report: Report;
  /** Everything started is deferred to it; closing it stops roles in reverse order, stores last. */
  readonly lifetime: Lifetime;
  /** Aborts the wait for a starting stack. */
  readonly signal: AbortSignal;
  /** Called if all processes run, but not all serve after ten seconds. */
  readonly onLate?: (stack: Stack) => void;
}

export interface Stack {
  readonly baseUrl: string;
  readonly dataDir: string;
  /** The roles' variables, with secrets or the names of their files. */
  readonly environment: Environment;
  /** Whether the event store is configured or started. */
  readonly hasStores: boolean;
}

/** Another supervisor runs on this data directory. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';

  constructor(dataDir: string, pid: string) {
    super(
      `Another service already runs on ${dataDir} (process ${pid}). Stop it, or set DATA_DIR to another directory.`,
    );
  }
}

const PATIENCE_MS = 10_000;
/** Time beyond a process's own limit before it is killed. */
const FORCE_AFTER_MS = 2_000;

/** Starts the stores, then the roles; resolves once all of them serve. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { config, report, lifetime, signal } = options;
  assertNoPlain(config);
  const dataDir = await takeDataDir(options);
  const ports = await choosePorts(options);
  const page = createStackPage(dataDir, tellOfStaleFile(report));
  lifetime.defer('stack file', page.remove);

  const observer = { changed: page.write, crashed: tellOfCrash(report) };
  const { secrets, stores } = await openStores({ ...options, dataDir, observer });
  signal.throwIfAborted();

  const base = baseUrl(config, ports);
  const peers = options.roles
    .filter((role) => role !== 'gateway')
    .map((role) => healthUrl(config, ports, role));
  const shared = { ...stores.urls, ...ports, DATA_DIR: dataDir, BASE_URL: base };
  const environment = environmentOf(secrets, options.environment, { ...shared, READY_PEERS: peers.join() });
  const settings = loadConfigWithFiles(environment);
  if (options.roles.includes('node')) need(settings, 'NODE_JOIN_TOKEN');
  const running: SupervisedProcess[] = [];
  page.describe({
    base_url: base,
    write_url: healthUrl(config, ports, 'write-api'),
    read_url: healthUrl(config, ports, 'read-api'),
    environment: shared,
    processes: () => ({
      ...stores.processes(),
      ...Object.fromEntries(running.map((each) => [each.name, each.pid()])),
    }),
  });
  startRoles({ ...options, dataDir, environment }, observer, running);
  const hasStores = settings.EVENTSTORE_URL !== undefined && settings.POSTGRES_URL !== undefined;
  const stack = { baseUrl: base, dataDir, environment, hasStores };
  await allServe(
    { ...options, onLate: () => options.onLate?.(stack) },
    { ports, token: settings.METRICS_TOKEN },
    running,
  );
  page.ready();
  return stack;
}

/** Locks the directory and ends leftovers of an earlier supervisor. Returns its path. */
async function takeDataDir({ config, report }: StackOptions): Promise<string> {
  const dataDir = resolve(config.DATA_DIR);
  mkdirSync(join(dataDir, 'logs'), { recursive: true });
  for (const path of await makePrivate(dataDir))
    report.warn(
      `${path} belongs to another user, and other users of this machine may read it. Its owner has to restrict its permissions.`,
    );
  const lock = await lockDirectory(dataDir);
  if (typeof lock === 'string') throw new DataDirInUse(dataDir, lock);
  await endLeftovers(dataDir);
  return dataDir;
}

/**
 * Starts or connects the stores. If no role uses one, none is started, and no secret but the metrics token is needed: the others
 * belong to the machine with the stores.
 */
async function openStores(options: StackOptions & Omit<StoresOptions, 'passwords'>) {
  const { roles: names, dataDir, report, environment } = options;
  const files = secretFilesIn(environment);
  const missing = [
    ...embeddedPasswords,
    ...ownSecrets.filter((name) => !environment[name] && !files.has(name)),
  ];
  if (names.every((name) => isStoreless(name)))
    return { secrets: await loadSecrets(dataDir, ['METRICS_TOKEN']), stores: noStores };
  const { POSTGRES_PASSWORD, EVENT_STORE_PASSWORD, ...secrets } = await loadSecrets(dataDir, missing);
  const passwords = { postgres: POSTGRES_PASSWORD, eventStore: EVENT_STORE_PASSWORD };
  const stores = await startStores({ ...options, passwords });
  await report.step('schema', () => migrateAll(stores.urls.POSTGRES_URL));
  return { secrets, stores };
}

/** Each process reports its own certificates. */
const silent = pino({ level: 'silent' });

const noStores = { urls: {}, processes: () => ({}) };

function isStoreless(name: RoleName): boolean {
  const { storeless }: RoleEntry = roles[name];
  return storeless === true;
}

const tellOfCrash =
  (report: Report): Observer['crashed'] =>
  (name, how, restartInMs) =>
    report.warn(
      `${name} ended (${how}); starting it again in ${restartInMs / 1000} s. See logs/${name}.log.`,
    );

const tellOfStaleFile =
  (report: Report) =>
  ({ message }: Error) =>
    report.warn(`stack.json could not be written, and is not up to date until it is: ${message}`);

function startRoles(
  { roles: names, dataDir, environment, lifetime, config }: StackOptions & { readonly dataDir: string },
  observer: Observer,
  running: SupervisedProcess[],
): void {
  for (const name of names) {
    const { flags = [], environment: own }: RoleEntry = roles[name];
    const logFile = join(dataDir, 'logs', `${name}.log`);
    const spec = {
      name,
      program: 'role',
      args: [name],
      flags,
      logFile,
      environment: { ...own, ...environment },
    } as const;
    const process = supervise(spec, observer);
    running.push(process);
    observer.changed();
    lifetime.defer(name, () => process.stop(stopLimitMs(config, name) + FORCE_AFTER_MS));
  }
}

async function allServe(
  options: Omit<StackOptions, 'onLate'> & { readonly onLate: () => void },
  { ports, token }: { readonly ports: Ports; readonly token: string | undefined },
  running: readonly SupervisedProcess[],
): Promise<void> {
  const { config, roles: names, report, signal } = options;
  await Promise.all(running.map(({ name, firstReady }) => report.step(name, () => firstReady)));
  const addresses = Object.fromEntries(names.map((role) => [role, healthUrl(config, ports, role)]));
  const onLate = (missing: readonly string[]) => {
    report.warn(`Still waiting for ${missing.join('; ')}`);
    options.onLate();
  };
  const tls = openTls({ ...options, logger: silent });
  await report.step('all processes are ready', () =>
    allReady(addresses, { signal, token, tls, patienceMs: PATIENCE_MS, onLate }),
  );
}

import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lockDirectory } from '../../platform/directory-lock.ts';
import type { Config, Environment } from '../../config/index.ts';
import type { Lifetime } from '../lifetime.ts';
import { migrateAll } from '../migrations.ts';
import { makePrivate } from '../private-files.ts';
import { type RoleEntry, type RoleName, roles } from '../roles/table.ts';
import { baseUrl, choosePorts, healthUrl, type Ports } from './addresses.ts';
import { createStackPage, endLeftovers } from './stack-file.ts';
import type { Report } from './report.ts';
import { loadSecrets } from './secrets.ts';
import { startStores } from './stores.ts';
import { type Observer, supervise, type SupervisedProcess } from './supervised-process.ts';

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
/** What a process may take beyond its own limit before it is killed. */
const FORCE_AFTER_MS = 2_000;

/** Starts the stores, then the roles, and resolves when all of them serve. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { config, report, lifetime, signal } = options;
  const dataDir = resolve(config.DATA_DIR);
  mkdirSync(join(dataDir, 'logs'), { recursive: true });
  for (const path of await makePrivate(dataDir))
    report.warn(`${path} is another user's, and others on this machine may read it.`);
  const lock = await lockDirectory(dataDir);
  if (typeof lock === 'string') throw new DataDirInUse(dataDir, lock);
  await endLeftovers(dataDir);
  const ports = await choosePorts(options);
  const page = createStackPage(dataDir);
  lifetime.defer('stack file', page.remove);

  const observer = { changed: page.write, crashed: tellOfCrash(report) };
  const { POSTGRES_PASSWORD, EVENT_STORE_PASSWORD, ...secrets } = await loadSecrets(dataDir);
  const passwords = { postgres: POSTGRES_PASSWORD, eventStore: EVENT_STORE_PASSWORD };
  const stores = await startStores({ ...options, dataDir, passwords, observer });
  signal.throwIfAborted();
  await report.step('schema', () => migrateAll(stores.urls.POSTGRES_URL));

  const base = baseUrl(config, ports);
  const peers = options.roles
    .filter((role) => role !== 'gateway')
    .map((role) => healthUrl(config, ports, role));
  const shared = { ...stores.urls, ...ports, DATA_DIR: dataDir, BASE_URL: base };
  const environment = { ...secrets, ...options.environment, ...shared, READY_PEERS: peers.join() };
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
  await allServe(options, { ports, token: environment.METRICS_TOKEN }, running);
  page.ready();
  return { baseUrl: base, dataDir, environment };
}

const tellOfCrash =
  (report: Report): Observer['crashed'] =>
  (name, how, restartInMs) =>
    report.warn(
      `${name} ended (${how}); starting it again in ${restartInMs / 1000} s. See logs/${name}.log.`,
    );

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
    lifetime.defer(name, () => process.stop(config.SHUTDOWN_LIMIT + FORCE_AFTER_MS));
  }
}

async function allServe(
  { config, roles: names, report, signal }: StackOptions,
  { ports, token }: { readonly ports: Ports; readonly token: string | undefined },
  running: readonly SupervisedProcess[],
): Promise<void> {
  await Promise.all(running.map(({ name, firstReady }) => report.step(name, () => firstReady)));
  const addresses = Object.fromEntries(names.map((role) => [role, healthUrl(config, ports, role)]));
  const onLate = (missing: readonly string[]) => report.warn(`Still waiting for ${missing.join('; ')}`);
  await report.step('everything serves', () =>
    allReady(addresses, { signal, token, patienceMs: PATIENCE_MS, onLate }),
  );
}

export interface WaitOptions {
  readonly signal: AbortSignal;
  /** Makes each say what is failing, also at an address that is not on loopback. */
  readonly token?: string | undefined;
  /** Milliseconds after which `onLate` is called with what is missing, and again when something else is. */
  readonly patienceMs: number;
  readonly onLate: (missing: readonly string[]) => void;
}

const POLL_MS = 100;
const ASK_LIMIT_MS = 5_000;

/** Resolves when every address answers `/readyz` with 200. */
export async function allReady(
  addresses: Readonly<Record<string, string>>,
  options: WaitOptions,
): Promise<void> {
  const late = performance.now() + options.patienceMs;
  let reported = '';
  for (;;) {
    options.signal.throwIfAborted();
    const missing = await notReady(addresses, options.token);
    if (missing.length === 0) return;
    if (performance.now() > late && missing.join() !== reported) {
      reported = missing.join();
      options.onLate(missing);
    }
    await delay(POLL_MS);
  }
}

async function notReady(
  addresses: Readonly<Record<string, string>>,
  token: string | undefined,
): Promise<string[]> {
  const answers = await Promise.all(
    Object.entries(addresses).map(async ([name, address]) => {
      const complaint = await complaintOf(address, token);
      return complaint === null ? null : `${name}: ${complaint}`;
    }),
  );
  return answers.filter((answer) => answer !== null);
}

/** Null when ready, else what the process says is failing. */
async function complaintOf(address: string, token: string | undefined): Promise<string | null> {
  try {
    const response = await fetch(`${address}/readyz`, {
      signal: AbortSignal.timeout(ASK_LIMIT_MS),
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    });
    const { failing } = (await response.json()) as { failing?: Record<string, string> };
    if (response.ok) return null;
    return Object.entries(failing ?? {})
      .map(([part, complaint]) => `${part} (${complaint})`)
      .join(', ');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

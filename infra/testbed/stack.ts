import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

export interface TestStack {
  readonly dataDir: string;
  readonly baseUrl: string;
  readonly writeUrl: string;
  readonly readUrl: string;
  /** Process ids by name, as they are now: roles, `event-store`, `postgres`, `supervisor`. */
  readonly processes: Readonly<Record<string, number>>;
  /** Makes an account with an API key through the operator's command. */
  account(tier?: string): Promise<{ account_id: string; api_key_id: string; api_key: string }>;
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
export async function startStack({
  env = {},
  dataDir = tempDir('stack'),
  limitMs = 60_000,
}: StackOptions = {}): Promise<TestStack> {
  const output = openSync(join(dataDir, 'output'), 'a');
  const { NODE_V8_COVERAGE: _uncounted, ...inherited } = process.env;
  const environment = {
    ...inherited,
    ...anyPort,
    DRIVER: 'simulated',
    LOG_LEVEL: 'info',
    DATA_DIR: dataDir,
    ...env,
  };
  const child = spawn(process.execPath, ['--import', 'tsx', supervisor], {
    env: environment,
    stdio: ['ignore', output, output],
  });
  const gone = once(child, 'exit');
  const state = (): StackState => {
    if (child.exitCode !== null) throw new Error(`The stack ended; see ${join(dataDir, 'output')}.`);
    const current = readStack(dataDir);
    if (current === undefined) throw new Error('The stack has not told where it is.');
    return current;
  };
  const { base_url, write_url, read_url } = await until(() => state().ready && state(), {
    limitMs,
    everyMs: 50,
  });

  const stack: TestStack = {
    dataDir,
    baseUrl: base_url,
    writeUrl: write_url,
    readUrl: read_url,
    get processes() {
      return state().processes;
    },
    service: (...args) => runService(args, environment),
    account: async (tier = 'api_scale') => {
      const email = `${crypto.randomUUID()}@example.com`;
      const { stdout } = await stack.service('account', 'create', '--email', email, '--tier', tier, '--json');
      return JSON.parse(stdout) as Awaited<ReturnType<TestStack['account']>>;
    },
    kill: async (name) => {
      const pid = state().processes[name];
      if (pid === undefined) throw new Error(`There is no process ${name}.`);
      process.kill(pid, 'SIGKILL');
      await until(() => state().processes[name] !== pid, { limitMs: 10_000 });
    },
    ready: async () => {
      await until(async () => (await fetch(`${base_url}/readyz`)).ok, { limitMs, everyMs: 50 });
    },
    stop: async () => {
      running.delete(stack);
      child.kill('SIGTERM');
      await gone;
      return child.exitCode;
    },
  };
  running.add(stack);
  return stack;
}

export async function stopStacks(): Promise<void> {
  await Promise.all([...running].map((stack) => stack.stop()));
}

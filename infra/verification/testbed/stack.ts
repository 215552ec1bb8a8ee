import { randomUUID } from 'node:crypto';
import { toId, uuidOf } from '../../../contracts/ids.ts';
import type { Tier } from '../../../contracts/tiers.ts';
import { takeSecretFiles } from '../../config/index.ts';
import type { Operator } from '../../main/cli/operator.ts';
import { giveCluster } from './cluster.ts';
import { runService } from './service.ts';
import { createSignals } from './signals.ts';
import { launchStack } from './stack-process.ts';
import { tempDir } from './temp-dir.ts';
import { until } from './until.ts';

export interface StackOptions {
  /** Environment besides the defaults here: simulated browsers, free ports, an own data directory. */
  readonly env?: Readonly<Record<string, string>>;
  /** Data directory of another stack, to start it again. */
  readonly dataDir?: string;
  /**
   * Runs the steps that only the first start of an installation has: initdb, and the first account. By default the
   * cluster is a copy, and there are no accounts except the test's.
   */
  readonly isFirstStart?: boolean;
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
  /** Current process ids by name: roles, `event-store`, `postgres`, `supervisor`. */
  readonly processes: Readonly<Record<string, number>>;
  /** Creates an account with an API key as the operator's command does, in this process. */
  account(tier?: Tier): Promise<NewAccount>;
  /** A new link that signs an account in to the console, likewise. */
  consoleLink(account: string): Promise<string>;
  /** Runs `service <args>` against this stack. */
  service(...args: readonly string[]): ReturnType<typeof runService>;
  /** kill -9; resolves when the process is gone. The supervisor starts a role again. */
  kill(name: string): Promise<void>;
  /** SIGSTOP: it keeps its connections and its memory, and does nothing. */
  pause(name: string): void;
  /** SIGCONT. */
  resume(name: string): void;
  /** SIGCONT to all that are stopped. */
  resumeAll(): void;
  /** Resolves when everything serves (again). */
  ready(): Promise<void>;
  /** SIGTERM to the supervisor; resolves with its exit status when everything has exited. */
  stop(): Promise<number | null>;
}

const anyPort = Object.fromEntries(
  ['', 'WRITE_', 'READ_', 'PROJECTOR_', 'PROCESSES_', 'WORKER_', 'NODE_', 'NODE_HEALTH_'].map((name) => [
    `${name}PORT`,
    '0',
  ]),
);
const running = new Set<TestStack>();
/** Milliseconds; a broken one may never answer. */
const ANSWER_LIMIT_MS = 5_000;

/** Stores of a stack, if not the supervisor's. */
export interface Ground {
  readonly processes: () => Readonly<Record<string, number | undefined>>;
  /** Called before the stack is stopped. */
  readonly heal: () => Promise<void>;
  /** Called after it has stopped. */
  readonly stop: () => Promise<void>;
}
const none: Ground = { processes: () => ({}), heal: async () => undefined, stop: async () => undefined };

/** The whole service as `npm start` runs it, in processes of its own. */
export async function startStack(options: StackOptions = {}, ground: Ground = none): Promise<TestStack> {
  const { env = {}, dataDir = tempDir('stack'), limitMs = 60_000, isFirstStart = false } = options;
  // V8's coverage of the stack's processes is not worth its time.
  const { NODE_V8_COVERAGE, ...inherited } = process.env;
  const defaults = { DRIVER: 'simulated', LOG_LEVEL: 'info', DATA_DIR: dataDir };
  const environment = { ...inherited, ...anyPort, ...defaults, ...env };
  const child = await launch(dataDir, environment, isFirstStart);
  const first = await child.firstReady(limitMs).catch(async (error: unknown) => {
    await child.stop();
    throw error;
  });
  const processes = () => present({ ...child.state().processes, ...ground.processes() });
  const signals = createSignals(processes);
  const stack: TestStack = {
    dataDir,
    baseUrl: first.base_url,
    writeUrl: first.write_url,
    readUrl: first.read_url,
    get processes() {
      return processes();
    },
    service: (...args) => runService(args, environment),
    account: (tier) => newAccount(environment, tier),
    consoleLink: (account) => newConsoleLink(environment, account),
    ...signals,
    ready: async () => {
      await until(() => isReady(first.base_url), { limitMs, everyMs: 50 });
      // write-api serves without a node, and reports that.
      await until(() => isReady(first.write_url), { limitMs, everyMs: 50 });
    },
    stop: async () => {
      running.delete(stack);
      signals.resumeAll();
      await ground.heal();
      const status = await child.stop();
      await ground.stop();
      return status;
    },
  };
  running.add(stack);
  return stack;
}

async function launch(dataDir: string, environment: NodeJS.ProcessEnv, isFirstStart: boolean) {
  if (isFirstStart) return launchStack(dataDir, environment, []);
  if (!environment.POSTGRES_URL) await giveCluster(dataDir);
  return launchStack(dataDir, environment, ['--without-first-account']);
}

const present = (processes: Readonly<Record<string, number | undefined>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(processes).flatMap(([name, pid]) => (pid === undefined ? [] : [[name, pid]])),
  );

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
  return answer.ok && !('degraded' in ((await answer.json()) as object));
}

async function newAccount(environment: NodeJS.ProcessEnv, tier: Tier = 'api_scale'): Promise<NewAccount> {
  const { createAccount } = await import('../../main/cli/accounts.ts');
  const email = `${randomUUID()}@example.com`;
  const { value } = await operate(environment, (operator) => createAccount(operator, { email, tier }));
  return value as NewAccount;
}

async function newConsoleLink(environment: NodeJS.ProcessEnv, account: string): Promise<string> {
  const { consoleLinkFor } = await import('../../main/cli/console-link.ts');
  const id = toId('account', uuidOf(account));
  const { link } = await operate(environment, (operator) => consoleLinkFor(operator, id));
  return link;
}

/**
 * In this process: starting one for each account would take longer than most tests. Loaded on demand, because most tests create no
 * account.
 */
async function operate<T>(
  environment: NodeJS.ProcessEnv,
  work: (operator: Operator) => Promise<T>,
): Promise<T> {
  const { asOperator } = await import('../../main/cli/operator.ts');
  const shell = { ...environment };
  takeSecretFiles(shell);
  return asOperator(work, shell);
}

export async function stopStacks(): Promise<void> {
  await Promise.all([...running].map((stack) => stack.stop()));
}

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, closeSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Lifetime } from '../../main/lifetime.ts';
import { portsOf, roleNames, type RoleName } from '../../main/roles/table.ts';
import { freePort } from '../../platform/free-port.ts';
import { startBalancer, type Balancer } from '../testbed/balancer.ts';
import { tempDir, until, type NewAccount } from '../testbed/index.ts';
import { runService } from '../testbed/service.ts';
import { startStores } from '../testbed/stack-stores.ts';
import { startWhole } from '../testbed/whole.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const inTime = { limitMs: 120_000, everyMs: 100 };

type Environment = Readonly<Record<string, string | undefined>>;

/** One process of a role. */
export interface Member {
  readonly name: string;
  readonly role: RoleName;
  /**
   * Sends SIGTERM and starts it again on the same ports, from this checkout. Resolves to the exit status once the new process is ready and gets
   * requests.
   */
  restart(): Promise<number | null>;
}

/** Two separately started processes of each role on shared stores, with load balancers for the gateways and the APIs. */
export interface ScaledStack {
  readonly baseUrl: string;
  readonly members: readonly Member[];
  account(): Promise<NewAccount>;
  /** Brings the schema up to this checkout's. */
  migrate(): Promise<unknown>;
  stop(): Promise<void>;
}

const balanced = ['gateway', 'write-api', 'read-api'] as const satisfies readonly RoleName[];
type Balanced = (typeof balanced)[number];
const isBalanced = (role: RoleName): role is Balanced => balanced.some((each) => each === role);

/** Environment as in the documentation of deployment, except for shorter times. */
const environment = {
  DRIVER: 'simulated',
  RATE_LIMITS: 'off',
  SHUTDOWN_NOTICE: '3s',
  DRAIN_LIMIT: '30s',
} as const;

interface Place {
  readonly name: string;
  readonly role: RoleName;
  /** Port that answers `/readyz`. */
  readonly port: number;
  readonly environment: Environment;
}

export interface ScaledOptions {
  /** Settings of every role. */
  readonly env?: Environment;
  /** Checkout that it starts from, by default this one. */
  readonly tree?: string;
}

export const startScaledStack = (options: ScaledOptions = {}): Promise<ScaledStack> =>
  startWhole((lifetime) => start(lifetime, options));

async function start(lifetime: Lifetime, { env = {}, tree = root }: ScaledOptions): Promise<ScaledStack> {
  const directory = tempDir('scaled');
  mkdirSync(join(directory, 'logs'));
  const places = await Promise.all(roleNames.flatMap((role) => [1, 2].map((nth) => placeOf(role, nth))));
  const balancerOf = await startBalancers(places, lifetime);
  const shared = {
    ...{ ...process.env, ...environment, ...env, ...secretsIn(join(directory, 'secrets')) },
    ...(await storesIn(directory, lifetime)),
    BASE_URL: balancerOf.gateway.url,
    WRITE_URL: balancerOf['write-api'].url,
    READ_URL: balancerOf['read-api'].url,
  };
  await operate(shared, tree, 'migrate');
  const members = places.map((place) => {
    const balancer = isBalanced(place.role) ? balancerOf[place.role] : undefined;
    const own = { ...place, environment: { ...shared, ...place.environment } };
    return startMember(own, tree, directory, balancer);
  });
  lifetime.defer('members', () => Promise.all(members.map(({ stop }) => stop())));
  await Promise.all(members.map(({ serves }) => serves()));
  return {
    baseUrl: balancerOf.gateway.url,
    members,
    account: async () => {
      const args = ['--email', 'customer@example.com', '--tier', 'enterprise', '--json'];
      return JSON.parse(await operate(shared, tree, 'account', 'create', ...args)) as NewAccount;
    },
    migrate: () => operate(shared, root, 'migrate'),
    stop: () => lifetime.close(),
  };
}

async function operate(env: Environment, tree: string, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await runService(args, env, tree);
  if (status !== 0) throw new Error(`service ${args.join(' ')}: ${stderr}`);
  return stdout;
}

async function storesIn(directory: string, lifetime: Lifetime): Promise<Environment> {
  const stores = await startStores(directory, true);
  lifetime.defer('stores', stores.stop);
  return {
    EVENTSTORE_URL: stores.eventStore.url,
    POSTGRES_URL: stores.postgres.url,
    QUEUE_URL: stores.redis?.url,
    BLOB_URL: pathToFileURL(join(directory, 'blobs')).href,
  };
}

async function startBalancers(places: readonly Place[], lifetime: Lifetime) {
  const started = balanced.map(async (role) => {
    const balancer = await startBalancer(
      places.filter((place) => place.role === role).map(({ port }) => ({ port })),
    );
    lifetime.defer(`balancer of ${role}`, balancer.close);
    return [role, balancer] as const;
  });
  return Object.fromEntries(await Promise.all(started)) as Record<Balanced, Balancer>;
}

async function placeOf(role: RoleName, nth: number): Promise<Place> {
  const ports = await Promise.all(
    portsOf(role).map(async (variable) => [variable, String(await freePort())] as const),
  );
  const name = `${role}-${nth}`;
  const own = { DATA_DIR: tempDir(name), NODE_NAME: name };
  return { name, role, port: Number(ports[0]?.[1]), environment: { ...own, ...Object.fromEntries(ports) } };
}

function secretsIn(directory: string): Environment {
  execFileSync('sh', [join(root, 'infra/deploy/make-secrets.sh'), directory]);
  return Object.fromEntries(readdirSync(directory).map((name) => [`${name}_FILE`, join(directory, name)]));
}

function startMember(
  { name, role, port, environment: env }: Place,
  tree: string,
  directory: string,
  balancer?: Balancer,
) {
  const launch = (cwd: string): ChildProcess => {
    const log = openSync(join(directory, 'logs', `${name}.log`), 'a');
    const child = spawn(process.execPath, ['infra/main/run.mjs', 'role', role], {
      ...{ cwd, env, stdio: ['ignore', log, log] },
    });
    closeSync(log);
    return child;
  };
  let child = launch(tree);
  const stop = async (): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    return child.exitCode;
  };
  const serves = () =>
    until(async () => {
      const { ok } = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5_000) });
      return ok && (balancer === undefined || balancer.sendsTo(port));
    }, inTime);
  const restart = async (): Promise<number | null> => {
    const status = await stop();
    child = launch(root);
    await serves();
    return status;
  };
  return { name, role, stop, serves, restart };
}

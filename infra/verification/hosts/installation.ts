import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Lifetime } from '../../main/lifetime.ts';
import type { RoleName } from '../../main/roles/table.ts';
import { createWallClock, type WallClock } from '../faults/surroundings.ts';
import { tempDir, until, type NewAccount } from '../testbed/index.ts';
import { startWhole } from '../testbed/whole.ts';
import { certify, configure, type EnvironmentOf } from './environment.ts';
import { memberOf, type Member } from './member.ts';
import { openNetwork, type Host } from './network.ts';
import {
  addresses,
  apiHosts,
  balanced,
  hidden,
  hostNames,
  isNode,
  nodeNames,
  routerAddress,
  withStores,
  type HostName,
} from './places.ts';
import { openRegistryView, type RegistryView } from './registry-view.ts';
import { startSideProgram, type SideProgram } from './side-program.ts';
import { joinStores, openDoor, type SidePrograms } from './tunnels.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const inTime = { limitMs: 60_000, everyMs: 100 };

type Hosts = Readonly<Record<HostName, Host>>;

/** The service on several hosts, and a host of its clients. */
export interface Installation extends Omit<RegistryView, 'close'> {
  readonly hosts: Hosts;
  /** Every process of a role. */
  readonly members: readonly Member[];
  member(host: HostName, role: RoleName): Member;
  /** The clock of `api-2` and `node-2`. */
  readonly clock: WallClock;
  /** A socket whose connections go from the clients' host to the balancer of the gateways. */
  readonly door: string;
  /** Runs an operator's command on a host. */
  operate(host: HostName, ...args: readonly string[]): Promise<{ status: number | null; stdout: string }>;
  account(): Promise<NewAccount>;
  stop(): Promise<void>;
}

export const startInstallation = (): Promise<Installation> => startWhole(start);

async function start(lifetime: Lifetime): Promise<Installation> {
  const directory = tempDir('hosts');
  const [logs, door] = [join(directory, 'logs'), join(directory, 'door')];
  mkdirSync(logs);
  await certify(directory);
  const hosts = await openHosts(lifetime);
  const programs = await startPrograms(hosts, { directory, logs, lifetime });
  const { stores } = programs.stores;
  if (stores === null) throw new Error('There are no stores.');
  await joinStores(programs, directory, stores);
  await openDoor(programs, door);
  const clock = createWallClock('UTC');
  const environmentOf = configure(directory, stores, clock);
  const operate = operator(hosts, environmentOf);
  if ((await operate('control', 'migrate')).status !== 0) throw new Error('There is no schema.');
  const { close, ...registry } = openRegistryView(directory, stores.password);
  lifetime.defer('registry', close);
  const members = membersOf({ hosts, logs, environmentOf, control: programs.control, registry });
  lifetime.defer('members', () => members.forEach(({ kill }) => kill()));
  await Promise.all(members.map((member) => member.start()));
  return {
    ...{ hosts, members, clock, door, operate, ...registry },
    member: (host, role) => {
      const found = members.find((each) => each.host.name === host && each.role === role);
      if (found === undefined) throw new Error(`${host} has no ${role}.`);
      return found;
    },
    account: async () => {
      const args = ['--email', 'customer@example.com', '--tier', 'enterprise', '--json'];
      return JSON.parse((await operate('control', 'account', 'create', ...args)).stdout) as NewAccount;
    },
    stop: () => lifetime.close(),
  };
}

async function openHosts(lifetime: Lifetime): Promise<Hosts> {
  const network = await openNetwork();
  lifetime.defer('network', network.close);
  const hosts: Partial<Record<HostName, Host>> = {};
  for (const name of hostNames)
    hosts[name] =
      name === hidden
        ? await network.addHidden(name, addresses[name], routerAddress)
        : await network.addHost(name, addresses[name]);
  return hosts as Hosts;
}

async function startPrograms(
  hosts: Hosts,
  { directory, logs, lifetime }: { directory: string; logs: string; lifetime: Lifetime },
): Promise<SidePrograms> {
  const names = ['stores', 'client', ...withStores] as const;
  const started = names.map(async (name) => {
    const stores = name === 'stores' ? join(directory, name) : undefined;
    const program = await startSideProgram(hosts[name], logs, stores);
    lifetime.defer(name, program.stop);
    return [name, program] as const;
  });
  return Object.fromEntries(await Promise.all(started)) as unknown as SidePrograms;
}

const operator =
  (hosts: Hosts, environmentOf: EnvironmentOf): Installation['operate'] =>
  async (name, ...args) => {
    const child = hosts[name].start([process.execPath, 'infra/main/run.mjs', 'command', ...args], {
      ...{ cwd: root, env: environmentOf(name), stdio: ['ignore', 'pipe', 'inherit'] },
    });
    const stdout = child.stdout === null ? '' : text(child.stdout);
    const [status] = (await once(child, 'close')) as [number | null];
    return { status, stdout: await stdout };
  };

interface Surroundings {
  readonly hosts: Hosts;
  readonly logs: string;
  readonly environmentOf: EnvironmentOf;
  readonly control: SideProgram;
  readonly registry: Pick<RegistryView, 'node'>;
}

/** In the order in which the documentation restarts them. */
function membersOf({ hosts, logs, environmentOf, control, registry }: Surroundings): readonly Member[] {
  const member = (name: HostName, role: RoleName, isUsed: (startedAt: number) => Promise<unknown>) =>
    memberOf({ host: hosts[name], role, env: environmentOf(name), logs, isUsed });
  const alone = (['projector', 'processes', 'worker'] as const).map((role) =>
    member('control', role, () => Promise.resolve()),
  );
  const doubled = (['write-api', 'read-api', 'gateway'] as const).flatMap((role) =>
    apiHosts.map((name) => {
      const isServed = { host: addresses[name], port: balanced[role].port };
      return member(name, role, () => until(() => control.ask({ isServed }), inTime));
    }),
  );
  const nodes = nodeNames.filter(isNode).map((name) =>
    member(name, 'node', (startedAt) =>
      until(async () => {
        const view = await registry.node(name);
        return view && !view.draining && view.ageMs < performance.now() - startedAt;
      }, inTime),
    ),
  );
  return [...alone, ...doubled, ...nodes];
}

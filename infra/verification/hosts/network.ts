import { execFileSync, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { until } from '../testbed/until.ts';

/** A network namespace, which lasts as long as the process that holds it. */
interface Namespace {
  /** Runs a program in it to its end. Returns its output; throws with its error output if it fails. */
  run(...command: readonly string[]): string;
  /** The same, with this as its standard input. */
  feed(input: string, ...command: readonly string[]): string;
  readonly pid: number;
}

interface Start {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly stdio: StdioOptions;
}

/** A host in a network of its own. */
export interface Host extends Pick<Namespace, 'run'> {
  readonly name: string;
  readonly address: string;
  start(command: readonly string[], options: Start): ChildProcess;
  /** Unplugs the cable, or plugs it in again. Addresses and routes of the host stay. */
  setLink(state: 'up' | 'down'): void;
  /** Silently drops packets that arrive from this address; undefined: none. */
  dropFrom(address: string | undefined): void;
  /** Bits per second that leave it, with a queue of at most half a second; undefined: as many as there are. */
  limitRate(bits: number | undefined): void;
}

/** A switch with the hosts at it. Nothing of it is in the network of the machine, and all of it ends with this process. */
export interface Network {
  addHost(name: string, address: string): Promise<Host>;
  /** A host behind a router that translates its address. The others have no route to it. */
  addHidden(name: string, address: string, routerAddress: string): Promise<Host>;
  close(): Promise<void>;
}

const bridge = 'switch';
const prefix = 24;
const own = () => readlinkSync('/proc/self/ns/net');

export async function openNetwork(): Promise<Network> {
  const holders: ChildProcess[] = [];
  const open = () => openNamespace(holders);
  const middle = await open();
  middle.run('ip', 'link', 'add', bridge, 'type', 'bridge');
  middle.run('ip', 'link', 'set', bridge, 'up');

  const attach = async (name: string, address: string) => {
    const namespace = await open();
    middle.run(...joining(name, namespace));
    middle.run('ip', 'link', 'set', name, 'master', bridge, 'up');
    bringUp(namespace, address);
    return namespace;
  };
  return {
    addHost: async (name, address) => hostOf({ name, address, cable: middle }, await attach(name, address)),
    addHidden: async (name, address, routerAddress) => {
      const router = await attach('router', routerAddress);
      const namespace = await open();
      const inside = address.replace(/\d+$/, '1');
      router.run(...joining(name, namespace));
      router.run('ip', 'addr', 'add', `${inside}/${prefix}`, 'dev', name);
      router.run('ip', 'link', 'set', name, 'up');
      router.feed('1', 'tee', '/proc/sys/net/ipv4/ip_forward');
      router.feed(translation, 'nft', '-f', '-');
      bringUp(namespace, address);
      namespace.run('ip', 'route', 'add', 'default', 'via', inside);
      return hostOf({ name, address, cable: router }, namespace);
    },
    close: async () => {
      for (const holder of holders) {
        holder.kill('SIGKILL');
        if (holder.exitCode === null && holder.signalCode === null) await once(holder, 'exit');
      }
    },
  };
}

async function openNamespace(holders: ChildProcess[]): Promise<Namespace> {
  const holder = spawn('setpriv', ['--pdeathsig=KILL', 'unshare', '--net', 'sleep', 'infinity'], {
    stdio: 'ignore',
  });
  holders.push(holder);
  const { pid } = holder;
  if (pid === undefined) throw new Error('No network namespace could be made.');
  await until(() => {
    if (holder.exitCode !== null) throw new Error('No network namespace could be made.');
    return readlinkSync(`/proc/${pid}/ns/net`) !== own();
  });
  const feed: Namespace['feed'] = (input, ...command) =>
    execFileSync('nsenter', [...entering(pid), ...command], { input, encoding: 'utf8', stdio: 'pipe' });
  return { pid, feed, run: (...command) => feed('', ...command) };
}

const entering = (pid: number): readonly string[] => ['--target', String(pid), '--net', '--'];

/** A cable from here, where it has the name of the host, into its namespace. */
const joining = (name: string, { pid }: Namespace): readonly string[] => [
  ...['ip', 'link', 'add', name, 'type', 'veth'],
  ...['peer', 'name', 'eth0', 'netns', String(pid)],
];

function bringUp({ run }: Namespace, address: string): void {
  run('ip', 'link', 'set', 'lo', 'up');
  run('ip', 'addr', 'add', `${address}/${prefix}`, 'dev', 'eth0');
  run('ip', 'link', 'set', 'eth0', 'up');
}

const translation = `table ip translation {
  chain out { type nat hook postrouting priority 100; oifname "eth0" masquerade; }
}`;

interface Place extends Pick<Host, 'name' | 'address'> {
  /** Namespace with the other end of its cable. */
  readonly cable: Namespace;
}

function hostOf({ name, address, cable }: Place, { pid, run, feed }: Namespace): Host {
  const rules = (text: string) => {
    // Made first, so that it can be deleted whether or not it was there.
    const table = 'table inet losses';
    feed(`${table} {}\ndelete ${table}\n${table} {\n${text}\n}\n`, 'nft', '-f', '-');
  };
  return {
    name,
    address,
    run,
    start: ([command = '', ...args], options) =>
      spawn('nsenter', [...entering(pid), command, ...args], options),
    setLink: (state) => void cable.run('ip', 'link', 'set', name, state),
    dropFrom: (source) => {
      const rule = source === undefined ? '' : `ip saddr ${source} drop;`;
      rules(`chain in { type filter hook input priority 0; ${rule}\n}`);
    },
    limitRate: (bits) => {
      const queue =
        bits === undefined ? ['pfifo'] : ['tbf', 'rate', `${bits}bit`, 'burst', '4kb', 'latency', '500ms'];
      run('tc', 'qdisc', 'replace', 'dev', 'eth0', 'root', ...queue);
    },
  };
}

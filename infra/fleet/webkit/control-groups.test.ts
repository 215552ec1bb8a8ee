import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { tempDir, until } from '../../verification/testbed/index.ts';
import {
  leaveGroupToBrowsers,
  makeGroup,
  openControlGroups,
  placedRows,
  type ControlGroup,
} from './control-groups.ts';
import { withLimits } from './limits.ts';
import { launch, startDriver } from './testing/browser.ts';
import { inNamespaces } from './namespaces.ts';
import { debianBinaries } from './requirements.ts';
import { processesOf } from './processes.ts';

const bounds = { memoryBytes: 200 * 1024 * 1024, threads: 20 };

/** Contents of `/proc/<pid>/cgroup` and `/proc/self/mountinfo`. */
function machine(memberships: readonly string[], mounts: readonly string[]): string {
  const proc = tempDir('proc');
  writeFileSync(join(proc, 'cgroup'), `${memberships.join('\n')}\n`);
  writeFileSync(join(proc, 'mountinfo'), `${mounts.join('\n')}\n`);
  return proc;
}
const mount = (root: string, point: string, type: string, options: string) =>
  `31 23 0:28 ${root} ${point} rw,nosuid shared:9 - ${type} ${type} rw,${options}`;

/** A script of a shell that runs within the group, in a session of its own. */
function inGroup({ directories }: ControlGroup, script: string) {
  const [program = '', ...args] = withLimits({ groups: directories });
  return spawn(program, [...args, '/bin/sh', '-c', script], { detached: true, stdio: 'ignore' });
}

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const source = new URL('./control-groups.ts', import.meta.url).href;

describe('control groups', () => {
  it('are none, and are not waited for, where the file system of groups cannot be written', async () => {
    const script = `const { openControlGroups } = await import('${source}');
      console.log((await openControlGroups('/nowhere', { memoryBytes: 1, threads: 1 })).bounds.size);`;
    const readOnly = ['--ro-bind', '/', '/', '--dev', '/dev', '--bind', '/proc', '/proc', '--tmpfs', '/tmp'];
    const program = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script];
    const options = { cwd: checkout, timeout: 20_000 };
    const { stdout } = await promisify(execFile)(
      'bwrap',
      [...readOnly, '--ro-bind', checkout, checkout, '--', ...program],
      options,
    );
    expect(stdout).to.equal('0\n');
  });

  it("of version 2 have limits in the node's own group", async () => {
    const top = tempDir('cgroup');
    const own = join(top, 'system.slice/node.service');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'cgroup.controllers'), 'cpuset cpu io memory pids\n');
    const proc = machine(['0::/system.slice/node.service'], [mount('/', top, 'cgroup2', 'nsdelegate')]);
    const group = await makeGroup(placedRows(proc), 'browser-1', { ...bounds, cpuShare: 0.5 });
    expect(group.directories).to.deep.equal([join(own, 'browser-1')]);
    const files = readdirSync(join(own, 'browser-1'));
    const held = files.map((file) => [file, readFileSync(join(own, 'browser-1', file), 'utf8')]);
    expect(Object.fromEntries(held)).to.deep.equal({
      'memory.max': String(bounds.memoryBytes),
      'pids.max': '20',
      'cpu.weight': '50',
    });
    expect(group.passed()).to.equal(undefined);
    writeFileSync(join(own, 'browser-1', 'pids.events'), 'max 0\n');
    writeFileSync(join(own, 'browser-1', 'memory.events'), 'low 0\nhigh 0\nmax 9\noom 1\noom_kill 0\n');
    expect(group.passed()).to.equal(undefined);
    writeFileSync(join(own, 'browser-1', 'memory.events'), 'low 0\nhigh 0\nmax 9\noom 1\noom_kill 1\n');
    expect(group.passed()).to.equal('memoryBytes');
    expect(group.processorMs()).to.equal(undefined);
    writeFileSync(join(own, 'browser-1', 'cpu.stat'), 'usage_usec 1250000\nuser_usec 1000000\n');
    expect(group.processorMs()).to.equal(1_250);
  });

  it('of version 2 are left to browsers by a supervisor that is alone in its group, and by no other', async () => {
    const top = tempDir('cgroup');
    writeFileSync(join(top, 'cgroup.controllers'), 'cpu memory pids\n');
    const proc = machine(['0::/'], [mount('/', top, 'cgroup2', 'nsdelegate')]);
    writeFileSync(join(top, 'cgroup.procs'), `${process.pid}\n${process.ppid}\n`);
    await leaveGroupToBrowsers(proc);
    expect(readdirSync(top)).not.to.include('service-node');
    writeFileSync(join(top, 'cgroup.procs'), `${process.pid}\n`);
    await leaveGroupToBrowsers(proc);
    expect(readFileSync(join(top, 'service-node/cgroup.procs'), 'utf8')).to.equal(String(process.pid));
  });

  it("of version 1 are one for each controller, below the mount's root in a container", () => {
    const [memory, cpu] = [tempDir('memory'), tempDir('cpu')];
    const proc = machine(
      ['5:memory:/docker/1', '4:cpu,cpuacct:/docker/1/x', '0::/'],
      [
        mount('/docker/1', memory, 'cgroup', 'memory'),
        mount('/docker/1', cpu, 'cgroup', 'cpu,cpuacct'),
        mount('/', tempDir('unified'), 'cgroup2', 'nsdelegate'),
      ],
    );
    const places = placedRows(proc).map(({ file, within }) => [file, within]);
    expect(places).to.deep.equal([
      ['memory.limit_in_bytes', memory],
      ['cpu.shares', join(cpu, 'x')],
      ['cpuacct.usage', join(cpu, 'x')],
    ]);
  });

  it('are absent where the kernel has none', () => {
    expect(placedRows(tempDir('proc'))).to.deep.equal([]);
  });

  it('of an earlier run are removed by the next one of the same directory, with their processes', async () => {
    const directory = tempDir('webkit');
    const first = await openControlGroups(directory, bounds);
    const { directories } = await first.make('left');
    const [program = '', ...args] = withLimits({ groups: directories });
    const process = spawn(program, [...args, 'sleep', '60'], { stdio: 'ignore' });
    const gone = once(process, 'exit');
    const last = directories.at(-1);
    await until(() => last === undefined || readFileSync(join(last, 'cgroup.procs'), 'utf8') !== '');
    const next = await openControlGroups(directory, bounds);
    expect([...next.bounds]).to.deep.equal([...first.bounds]);
    // No process can be in a group if none can be created.
    if (last === undefined) process.kill();
    await gone;
    expect(directories.flatMap((left) => readdirSync(join(left, '..'))).join()).not.to.include('-left');
  });

  it('count what is written to memory-backed file systems with a size of their own', async () => {
    const directory = tempDir('webkit');
    const groups = await openControlGroups(directory, { ...bounds, memoryBytes: 32 * 1024 * 1024 });
    const group = await groups.make('fills');
    const [program = '', ...args] = [
      ...withLimits({ groups: group.directories }),
      ...inNamespaces(debianBinaries.bubblewrap, { directory, readable: [] }),
    ];
    const fill = spawn(program, [...args, '/bin/sh', '-c', 'head -c 64M /dev/zero > /dev/shm/file'], {
      stdio: 'ignore',
    });
    await once(fill, 'exit');
    expect(group.passed()).to.equal(groups.bounds.has('memoryBytes') ? 'memoryBytes' : undefined);
    await group.remove();
  });

  it('refuse a process beyond the bound of threads', async () => {
    const groups = await openControlGroups(tempDir('webkit'), bounds);
    const group = await groups.make('forks');
    const forks = inGroup(group, 'for n in $(seq 40); do sleep 60 & done');
    await once(forks, 'exit');
    expect(group.passed()).to.equal(groups.bounds.has('threads') ? 'threads' : undefined);
    await group.remove();
    if (!groups.bounds.has('threads')) process.kill(-Number(forks.pid), 'SIGKILL');
  });

  it('share the processors by weight, and count what each has used', async () => {
    const groups = await openControlGroups(tempDir('webkit'), bounds);
    const both = [await groups.make('heavy'), await groups.make('light')];
    await both[1]?.weigh(1 / 8);
    const spin = `for n in $(seq ${availableParallelism()}); do while :; do :; done & done; wait`;
    const spinning = both.map((group) => inGroup(group, spin));
    const ends = spinning.map((each) => once(each, 'exit'));
    const shareOf = (used: readonly number[]) => (used[0] ?? 0) / used.reduce((sum, ms) => sum + ms, 0);
    if (groups.bounds.has('cpuShare')) {
      const used = await until(
        () => {
          const ms = both.map((group) => group.processorMs() ?? 0);
          return ms.reduce((sum, each) => sum + each, 0) > 3_000 && ms;
        },
        { limitMs: 90_000, everyMs: 100 },
      );
      // Eight ninths, as far as the scheduler can tell within three seconds.
      expect(shareOf(used)).to.be.within(0.75, 0.98);
    } else expect(both.map((group) => group.processorMs())).to.deep.equal([undefined, undefined]);
    for (const each of spinning) process.kill(-Number(each.pid), 'SIGKILL');
    await Promise.all(ends);
    await Promise.all(both.map((group) => group.remove()));
  });

  it('hold all processes of a browser, and are gone with it', async () => {
    const runtimeDir = tempDir('webkit');
    const driver = await startDriver({ runtimeDir });
    const browser = await launch(driver);
    // Version 2 has one directory for all controllers.
    const places = [...new Set(placedRows('/proc/self').map(({ within }) => within))];
    const trial = await (await openControlGroups(tempDir('other'), bounds)).make('trial');
    const held = trial.directories.length;
    await trial.remove();
    const groups = () =>
      places.flatMap((place) => readdirSync(place).filter((name) => name.startsWith('browser-')));
    const named = readdirSync(runtimeDir)[0] ?? '';
    const own = () => groups().filter((name) => name.endsWith(named));
    expect(own()).to.have.length(held);
    for (const pid of processesOf(runtimeDir))
      expect(readFileSync(`/proc/${pid}/cgroup`, 'utf8').split(named)).to.have.length(held + 1);
    await browser.close();
    expect(own()).to.deep.equal([]);
    await driver.close();
    rmSync(runtimeDir, { recursive: true, force: true });
  });
});

import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { leaveGroupToBrowsers, makeGroup, openControlGroups, placedRows } from './control-groups.ts';
import { launch, startDriver } from './testing/browser.ts';
import { processesOf } from './processes.ts';
import { processorsOf } from './processors.ts';

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

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const source = new URL('./control-groups.ts', import.meta.url).href;

describe('control groups', () => {
  it('are not used, without a wait, if their file system is read-only', async () => {
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
    const group = await makeGroup(placedRows(proc), 'browser-1', {
      ...{ ...bounds, cpuShare: 0.5, processors: [0, 1, 4, 5, 6] },
    });
    expect(group.directories).to.deep.equal([join(own, 'browser-1')]);
    const files = readdirSync(join(own, 'browser-1'));
    const held = files.map((file) => [file, readFileSync(join(own, 'browser-1', file), 'utf8')]);
    expect(Object.fromEntries(held)).to.deep.equal({
      'cpuset.cpus': '0,1,4,5,6',
      'memory.max': String(bounds.memoryBytes),
      'pids.max': '20',
      'cpu.weight': '50',
    });
    const processors = () => readFileSync(join(own, 'browser-1', 'cpuset.cpus'), 'utf8');
    await group.confine(true);
    expect(processors()).to.equal('4,5,6');
    await group.confine(false);
    expect(processors()).to.equal('0,1,4,5,6');
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

  it('of version 2 are left to browsers by a supervisor only if it is alone in its group', async () => {
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

  it('of version 1 for processors inherit the memory nodes of their parent, so that processes can enter', async () => {
    const cpuset = tempDir('cpuset');
    writeFileSync(join(cpuset, 'cpuset.mems'), '0-1\n');
    const proc = machine(['3:cpuset:/'], [mount('/', cpuset, 'cgroup', 'cpuset')]);
    await makeGroup(placedRows(proc), 'browser-1', { ...bounds, cpuShare: 1, processors: [2] });
    const held = (file: string) => readFileSync(join(cpuset, 'browser-1', file), 'utf8');
    expect(['cpuset.mems', 'cpuset.cpus'].map(held)).to.deep.equal(['0-1\n', '2']);
  });

  for (const [list, numbers] of [
    ['0', [0]],
    ['0-3,8', [0, 1, 2, 3, 8]],
  ] as const)
    it(`use the processors of the node: ${list}`, () => {
      const proc = tempDir('proc');
      writeFileSync(join(proc, 'status'), `Name:\tnode\nCpus_allowed_list:\t${list}\n`);
      expect(processorsOf(proc)).to.deep.equal(numbers);
    });

  it('are not used if the kernel has none', () => {
    expect(placedRows(tempDir('proc'))).to.deep.equal([]);
  });

  it('contain all processes of a browser, and are removed with it', async () => {
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

import { readFileSync, readdirSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/temp-dir.ts';
import { until } from '../../verification/testbed/until.ts';
import { openControlGroups, type ControlGroup } from './control-groups.ts';
import { withLimits } from './limits.ts';
import { inNamespaces } from './namespaces.ts';
import { processorsOf } from './processors.ts';
import { debianBinaries } from './requirements.ts';

const bounds = { memoryBytes: 200 * 1024 * 1024, threads: 20 };

/** A script of a shell that runs within the group, in a session of its own. */
function inGroup({ directories }: ControlGroup, script: string) {
  const [program = '', ...args] = withLimits({ groups: directories });
  return spawn(program, [...args, '/bin/sh', '-c', script], { detached: true, stdio: 'ignore' });
}

/**
 * Tests how the kernel enforces the groups, with other processes than browsers. `npm test -- machine` runs only this
 * file in a virtual machine. `KERNEL_HOLDS` names the bounds that groups must enforce there.
 */
describe('the control groups of this kernel', () => {
  it('enforce the expected bounds', async () => {
    const { bounds: held } = await openControlGroups(tempDir('webkit'), bounds);
    const { KERNEL_HOLDS: expected = '' } = process.env;
    expect([...held]).to.include.members(expected.split(',').filter(Boolean));
  });

  it('of an earlier run in the same directory are removed, with their processes, by the next one', async () => {
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

  it('count files in memory, even if their file system has its own size limit', async () => {
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
    const usedBy = () => both.map((group) => group.processorMs() ?? 0);
    const sumOf = (used: readonly number[]) => used.reduce((sum, ms) => sum + ms, 0);
    const reached = (totalMs: number) =>
      until(() => sumOf(usedBy()) > totalMs && usedBy(), { limitMs: 90_000, everyMs: 100 });
    try {
      if (groups.bounds.has('cpuShare')) {
        // The kernel first spreads the threads of both over the processors.
        const before = await reached(3_000);
        const used = (await reached(9_000)).map((ms, at) => ms - (before[at] ?? 0));
        // Eight ninths, as far as the scheduler can tell within six seconds.
        expect((used[0] ?? 0) / sumOf(used)).to.be.within(0.75, 0.98);
      } else expect(both.map((group) => group.processorMs())).to.deep.equal([undefined, undefined]);
    } finally {
      for (const each of spinning) process.kill(-Number(each.pid), 'SIGKILL');
      await Promise.all(ends);
      await Promise.all(both.map((group) => group.remove()));
    }
  });

  it('restrict a confined group to some of the processors', async () => {
    const groups = await openControlGroups(tempDir('webkit'), bounds);
    const group = await groups.make('confined');
    const runs = inGroup(group, 'while :; do sleep 0.1; done');
    const ended = once(runs, 'exit');
    const own = () => processorsOf(`/proc/${runs.pid}`);
    const members = (directory: string) => readFileSync(join(directory, 'cgroup.procs'), 'utf8').split('\n');
    try {
      await until(() => group.directories.every((each) => members(each).includes(String(runs.pid))));
      const all = own();
      await group.confine(true);
      const isKept = groups.bounds.has('processors') && all.length > 1;
      expect(own()).to.deep.equal(isKept ? all.slice(Math.ceil(all.length / 4)) : all);
      await group.confine(false);
      expect(own()).to.deep.equal(all);
    } finally {
      process.kill(-Number(runs.pid), 'SIGKILL');
      await ended;
      await group.remove();
    }
  });
});

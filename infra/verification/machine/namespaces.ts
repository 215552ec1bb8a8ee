import { execFileSync, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir, until } from '../testbed/index.ts';
import { machineOf, type Machine } from './machine.ts';

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Boots systemd in namespaces on this machine's kernel. What it writes is forgotten at the end.
 *
 * @param files the machine's, which are not changed
 * @param shared its `/srv/machine`
 */
export function startInNamespaces(files: string, shared: string): Machine {
  const own = tempDir('namespaces');
  const log = join(own, 'console.log');
  const child = spawn(join(import.meta.dirname, 'boot.sh'), [files, own, shared], {
    stdio: ['ignore', openSync(log, 'a'), openSync(log, 'a')],
  });
  const first = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
  const machine = machineOf({
    child,
    enter: () => ['nsenter', '-t', first(), '-a', 'env', '-i', 'HOME=/root', `PATH=${path}`, 'bash', '-c'],
    log,
    bootLimitMs: 60_000,
  });
  return {
    ...machine,
    stop: async () => {
      await machine.stop();
      await until(() => removeGroup(child.pid));
    },
  };
}

/** Removes the control group that `boot.sh` has made. Throws if a process is left in it. */
function removeGroup(pid: number | undefined): true {
  const [, groups = ''] = /^\S+ (\S+) cgroup2 /m.exec(readFileSync('/proc/mounts', 'utf8')) ?? [];
  const group = join(groups, `machine-${pid}`);
  execFileSync('find', [group, '-type', 'd', '-delete'], { stdio: 'pipe' });
  return true;
}

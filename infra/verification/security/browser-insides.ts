import { execFile } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { processesOf } from '../../fleet/webkit/processes.ts';
import { until } from '../testbed/index.ts';

/** The access of an attacker who has taken over a browser and escaped WebKit's own sandbox. */
export interface Insider {
  /** The browser's directory. */
  readonly directory: string;
  /** Runs a shell script in that process's namespaces; resolves with its output, whether it succeeded or not. */
  run(script: string): Promise<string>;
}

/** One for each browser of a node, including the pool's, once `count` of them run. */
export async function insidersOf(runtimeDir: string, count: number): Promise<Insider[]> {
  const look = () => {
    const found = readdirSync(runtimeDir).flatMap((name) => {
      const directory = join(runtimeDir, name);
      const pid = processesOf(directory).find((each) => exeOf(each).includes('gjs'));
      return pid === undefined ? [] : [{ directory, run: (script: string) => runIn(pid, directory, script) }];
    });
    return found.length === count && found;
  };
  return until(look, { limitMs: 30_000 });
}

async function runIn(pid: number, directory: string, script: string): Promise<string> {
  const namespaces = ['--user', '--preserve-credentials', '--mount', '--pid', '--ipc', '--net'];
  // The script's own exit status is ignored: a failure here is nsenter's.
  const shell = ['/bin/bash', '-c', `${script}; exit 0`];
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: directory,
    DISPLAY: ':0',
    XAUTHORITY: join(directory, 'authority'),
  };
  const args = ['--target', String(pid), ...namespaces, '--', ...shell];
  const { stdout } = await promisify(execFile)('nsenter', args, { env, timeout: 20_000 });
  return stdout.trim();
}

/** Loopback ports on which these processes listen. */
export function listeningPorts(pids: readonly number[]): Set<number> {
  const inodes = new Set(pids.flatMap(socketsOf));
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  const ports = rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && inodes.has(inode))
    .map(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16));
  return new Set(ports);
}

const socketsOf = (pid: number): (string | undefined)[] =>
  orNothing(() => readdirSync(`/proc/${pid}/fd`), []).map(
    (fd) => /^socket:\[(\d+)\]$/.exec(orNothing(() => readlinkSync(`/proc/${pid}/fd/${fd}`), ''))?.[1],
  );

const exeOf = (pid: number): string => orNothing(() => readlinkSync(`/proc/${pid}/exe`), '');

/** A process or its file may have disappeared meanwhile. */
function orNothing<T>(look: () => T, nothing: T): T {
  try {
    return look();
  } catch {
    return nothing;
  }
}

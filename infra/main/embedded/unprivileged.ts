import { execFileSync } from 'node:child_process';
import { userInfo } from 'node:os';

/** How to start a program that refuses to run as root, and must not outlive its parent. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const USER = 'postgres';

/** The unprivileged user for Postgres if this process is root, otherwise undefined. Created on first use. */
export function unprivilegedOwner(): Owner | undefined {
  if (userInfo().uid !== 0) return undefined;
  return findUser() ?? createUser();
}

/**
 * Wraps a command so that it runs as `owner` and gets SIGINT when its parent dies for any reason. Reaching a data directory below
 * a private home (`/root` is 0700) needs CAP_DAC_OVERRIDE, which root can pass on; without the secure bit, `access(2)`, by which
 * initdb finds its companions, would ignore the capability.
 */
export function launchAs(owner: Owner | undefined, command: string, args: readonly string[]): Launch {
  if (process.platform !== 'linux') return { command, args };
  const identity =
    owner === undefined
      ? []
      : [
          `--reuid=${owner.uid}`,
          `--regid=${owner.gid}`,
          '--clear-groups',
          '--securebits=+no_setuid_fixup',
          '--inh-caps=+dac_override',
          '--ambient-caps=+dac_override',
        ];
  return { command: 'setpriv', args: ['--pdeathsig=INT', ...identity, command, ...args] };
}

function findUser(): Owner | undefined {
  try {
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch {
    return undefined;
  }
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, USER], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
}

function createUser(): Owner {
  execFileSync('useradd', ['--system', '--user-group', '--no-create-home', USER]);
  return { uid: idOf('-u'), gid: idOf('-g') };
}

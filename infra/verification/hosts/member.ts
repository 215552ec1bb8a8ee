import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RoleName } from '../../main/roles/table.ts';
import { within } from '../../platform/timeout.ts';
import type { Host } from './network.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const startLimitMs = 120_000;

/** A process of a role on a host. */
export interface Member {
  readonly host: Host;
  readonly role: RoleName;
  /** Sends SIGTERM, and starts it again after its end. Resolves to its exit status once the new process takes work. */
  restart(): Promise<number | null>;
  /** Sends SIGTERM. Resolves to its exit status. */
  stop(): Promise<number | null>;
  /** Resolves once it takes work. */
  start(): Promise<void>;
  kill(): void;
}

export interface MemberOptions {
  readonly host: Host;
  readonly role: RoleName;
  readonly env: NodeJS.ProcessEnv;
  readonly logs: string;
  /** Resolves once others use the process that started at this time, by `performance.now()`. */
  readonly isUsed: (startedAt: number) => Promise<unknown>;
}

export function memberOf({ host, role, env, logs, isUsed }: MemberOptions): Member {
  let child: ChildProcess | undefined;
  const start = async () => {
    const startedAt = performance.now();
    child = launch({ host, role, env, logs });
    const ended = once(child, 'exit').then((): never => {
      throw new Error(`${role} on ${host.name} ended at its start; see ${logs}.`);
    });
    ended.catch(() => undefined);
    await within(startLimitMs, Promise.race([once(child, 'message'), ended]));
    await Promise.race([isUsed(startedAt), ended]);
  };
  const stop = async () => {
    if (child === undefined) return null;
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    return child.exitCode;
  };
  return {
    ...{ host, role, start, stop },
    restart: async () => {
      const status = await stop();
      await start();
      return status;
    },
    kill: () => void child?.kill('SIGKILL'),
  };
}

function launch({ host, role, env, logs }: Omit<MemberOptions, 'isUsed'>): ChildProcess {
  const log = openSync(join(logs, `${host.name}-${role}.log`), 'a');
  const child = host.start([process.execPath, 'infra/main/run.mjs', 'role', role], {
    ...{ cwd: root, env, stdio: ['ignore', log, log, 'ipc'] },
  });
  closeSync(log);
  return child;
}

import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HostRequest, LocalStores } from './host-program.ts';
import type { Host } from './network.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const program = fileURLToPath(new URL('./host-program.ts', import.meta.url));

/** The program of a host that runs its relays, its balancers, and stores if it has a directory for them. */
export interface SideProgram {
  readonly stores: LocalStores | null;
  ask(request: HostRequest): Promise<boolean>;
  stop(): Promise<void>;
}

export async function startSideProgram(host: Host, logs: string, stores?: string): Promise<SideProgram> {
  const log = openSync(join(logs, `${host.name}.log`), 'a');
  const directory = stores === undefined ? [] : [stores];
  const child = host.start([process.execPath, '--import', 'tsx', program, ...directory], {
    ...{ cwd: root, env: process.env, stdio: ['ignore', log, log, 'ipc'] },
  });
  closeSync(log);
  const gone = once(child, 'exit');
  const heard = async (): Promise<unknown> => {
    const ended = gone.then((): never => {
      throw new Error(`The program of ${host.name} ended; see ${logs}.`);
    });
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
    return message;
  };
  const local = (await heard()) as LocalStores | null;
  let turn: Promise<unknown> = Promise.resolve();
  return {
    stores: local,
    ask: (request) => {
      const answered = turn.then(async () => {
        child.send(request);
        const answer = await heard();
        if (typeof answer !== 'boolean') throw new Error(`${host.name}: ${String(answer)}`);
        return answer;
      });
      turn = answered.catch(() => undefined);
      return answered;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atOnce, type Fault } from './fault.ts';

/** Limits the size of files that the process writes; writes beyond it fail as on a full disk. */
const limitFiles = (pid: number, bytes: number | 'unlimited') =>
  promisify(execFile)('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:unlimited`]);

export const diskFaults: readonly Fault[] = [
  {
    name: 'full disk under event-store',
    expected:
      'writes answer 503, reads are served, what was acknowledged is there; it goes on by itself when there is room',
    weight: 2,
    lasts: [500, 4_000],
    inject: async ({ stack }) => {
      const pid = stack.stores.eventStore.pid();
      if (pid === undefined) return atOnce;
      const { size } = statSync(join(stack.dataDir, 'event-store', 'data.mdb'));
      await limitFiles(pid, size);
      return async () => {
        if (stack.stores.eventStore.pid() === pid) await limitFiles(pid, 'unlimited');
      };
    },
  },
];

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Faults } from '../../event-store/server/index.ts';
import { freePort } from '../../platform/free-port.ts';
import { keepRunning, type KeptStore, type StoreRun } from './kept-store.ts';

export interface TestEventStore extends KeptStore {
  readonly port: number;
  readonly url: string;
  /** Sets fault switches of the current process; a restart clears them. */
  set(faults: Partial<Faults>): Promise<void>;
}

const entry = fileURLToPath(new URL('./event-store-child.ts', import.meta.url));

/** The embedded event store in a process of its own, with its fault switches. */
export async function startEventStore(dataDir: string, logFile: string): Promise<TestEventStore> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const launch = async (): Promise<StoreRun> => {
    const log = openSync(logFile, 'a');
    const run = spawn(process.execPath, ['--import', 'tsx', entry, dataDir, String(port)], {
      stdio: ['ignore', log, log, 'ipc'],
      // JSON has no `Infinity`.
      serialization: 'advanced',
    });
    closeSync(log);
    const ended = new Promise<void>((resolve) => run.once('exit', () => resolve()));
    const served = await Promise.race([once(run, 'message'), ended]);
    if (served === undefined || run.pid === undefined)
      throw new Error(`The event store ended; see ${logFile}.`);
    child = run;
    return { pid: run.pid, ended, stop: () => (run.kill('SIGTERM'), ended) };
  };
  const kept = await keepRunning(launch);
  return {
    ...kept,
    port,
    url: `esdb://127.0.0.1:${port}?tls=false`,
    set: async (faults) => {
      if (child === undefined) throw new Error('The event store does not run.');
      child.send(faults);
      await once(child, 'message');
    },
  };
}

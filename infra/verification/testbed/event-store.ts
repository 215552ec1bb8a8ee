import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Faults } from '../../event-store/server/index.ts';
import { freePort } from '../../platform/free-port.ts';
import { startEventStoreProcess } from './event-store-process.ts';
import { keepRunning, type KeptStore, type StoreRun } from './kept-store.ts';

export interface TestEventStore extends KeptStore {
  readonly port: number;
  readonly url: string;
  /** Sets fault switches of the current process; a restart clears them. */
  set(faults: Partial<Faults>): Promise<void>;
}

/** The embedded event store in a process of its own, with its fault switches. */
export async function startEventStore(dataDir: string, logFile: string): Promise<TestEventStore> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const launch = async (): Promise<StoreRun> => {
    const log = openSync(logFile, 'a');
    const run = await startEventStoreProcess(log, dataDir, String(port)).finally(() => closeSync(log));
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

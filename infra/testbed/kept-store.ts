import { setTimeout as delay } from 'node:timers/promises';

/** One run of a store's process. */
export interface StoreRun {
  readonly pid: number;
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** A store that keeps its port and its data. When it dies it is started again, as the supervisor does. */
export interface KeptStore {
  /** Undefined while there is no process. */
  pid(): number | undefined;
  /** Ends it until `start`. */
  stop(): Promise<void>;
  /** Resolves when it serves again. */
  start(): Promise<void>;
}

const RESTART_MS = 100;

export async function keepRunning(launch: () => Promise<StoreRun>): Promise<KeptStore> {
  let running: StoreRun | undefined;
  let wanted = true;
  let keeping: Promise<void>;

  async function keep(first: StoreRun): Promise<void> {
    for (let run: StoreRun | undefined = first; run !== undefined; run = await again()) {
      running = run;
      await run.ended;
      running = undefined;
    }
  }
  /** A start may fail for as long as its fault lasts, a full disk for one. */
  async function again(): Promise<StoreRun | undefined> {
    for (; wanted; await delay(RESTART_MS)) {
      const run = await launch().catch(() => undefined);
      if (run !== undefined) return run;
    }
    return undefined;
  }
  const start = async (): Promise<void> => {
    wanted = true;
    keeping = keep(await launch());
  };

  await start();
  return {
    pid: () => running?.pid,
    start,
    stop: async () => {
      wanted = false;
      await running?.stop();
      await keeping;
    },
  };
}

import { setTimeout as delay } from 'node:timers/promises';
import { until } from './until.ts';

/** One run of a store's process. */
export interface StoreRun {
  readonly pid: number;
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * A store that keeps its port and its data. When it dies it is started again, as by the supervisor. Concurrent stops
 * and starts run one after the other.
 */
export interface KeptStore {
  /** Undefined while there is no process. */
  pid(): number | undefined;
  /** Stops it until `start`. */
  stop(): Promise<void>;
  /** Resolves when it serves again. */
  start(): Promise<void>;
}

const RESTART_MS = 100;
const START_LIMIT_MS = 60_000;

/** @throws if the very first launch fails; later ones are retried, since a fault such as a full disk may last */
export async function keepRunning(launch: () => Promise<StoreRun>): Promise<KeptStore> {
  let running: StoreRun | undefined;
  let wanted = true;
  const isWanted = (): boolean => wanted;

  async function keep(first?: StoreRun): Promise<void> {
    for (let run = first; isWanted(); run = undefined) {
      run ??= await launch().catch(() => undefined);
      running = run;
      if (run === undefined) await delay(RESTART_MS);
      else await (isWanted() ? run.ended : run.stop());
      running = undefined;
    }
  }
  let keeping = keep(await launch());

  let turn = Promise.resolve();
  const inTurn = (change: () => Promise<void>): Promise<void> => {
    const result = turn.then(change);
    turn = result.catch(() => undefined);
    return result;
  };
  return {
    pid: () => running?.pid,
    start: () =>
      inTurn(async () => {
        if (!wanted) {
          wanted = true;
          keeping = keep();
        }
        await until(() => running !== undefined, { limitMs: START_LIMIT_MS });
      }),
    stop: () =>
      inTurn(async () => {
        wanted = false;
        await running?.stop();
        await keeping;
      }),
  };
}

import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { takeSample } from './tables.ts';
import type { Sample } from './types.ts';

const EVERY_MS = 150;

export interface Sampling {
  readonly samples: readonly Sample[];
  /** Takes a last sample and stops. */
  stop(): Promise<void>;
}

/** Samples the checkpoints repeatedly. Fails silently while Postgres is down. */
export function startSampling(pool: Pick<pg.Pool, 'query'>): Sampling {
  const samples: Sample[] = [];
  const stopping = new AbortController();
  const look = async () => {
    const seen = await takeSample(pool).catch(() => undefined);
    if (seen !== undefined) samples.push(seen);
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      await look();
      await delay(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    samples,
    stop: async () => {
      stopping.abort();
      await running;
      await look();
    },
  };
}

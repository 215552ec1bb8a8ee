import type { Logger } from 'pino';
import type { Instance } from './instance.ts';

export interface PoolOptions {
  /** Browsers kept started and waiting. */
  readonly size: number;
  readonly start: () => Promise<Instance>;
  readonly logger: Logger;
}

/** Browsers started ahead of their sessions, so that a create is a claim and not a launch. */
export interface Pool {
  /** A waiting browser, or undefined when there is none; a new one is started in its place. */
  claim(): Instance | undefined;
  /** Starts what is missing, one after the other so that sessions keep most of the machine. */
  fill(): Promise<void>;
  close(): Promise<void>;
}

export function createPool({ size, start, logger }: PoolOptions): Pool {
  const waiting: Instance[] = [];
  let filling: Promise<void> | undefined;
  let closed = false;

  const startOne = async () => {
    const instance = await start();
    if (closed) return instance.close();
    instance.onDeath(() => {
      const index = waiting.indexOf(instance);
      if (index < 0) return;
      waiting.splice(index, 1);
      logger.warn('A waiting browser died.');
      void instance.close().then(fill);
    });
    if (instance.alive) waiting.push(instance);
  };
  const refill = async () => {
    try {
      while (!closed && waiting.length < size) await startOne();
    } catch (error) {
      // The next claim tries again; a create that finds nothing waiting starts its own and reports why it could not.
      logger.error({ err: error }, 'A browser could not be started ahead.');
    } finally {
      filling = undefined;
    }
  };
  const fill = () => (filling ??= refill());

  return {
    claim: () => {
      const instance = waiting.shift();
      void fill();
      return instance;
    },
    fill,
    close: async () => {
      closed = true;
      await filling;
      await Promise.all(waiting.splice(0).map((instance) => instance.close()));
    },
  };
}

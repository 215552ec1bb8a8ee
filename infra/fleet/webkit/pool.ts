import type { Logger } from 'pino';
import type { Instance } from './instance.ts';

export interface PoolOptions {
  /** Number of started browsers to keep. */
  readonly size: number;
  readonly start: () => Promise<Instance>;
  readonly logger: Logger;
}

/** Browsers started ahead of their sessions, so that a create only has to claim one. */
export interface Pool {
  /** Returns a waiting browser, or undefined when there is none, and starts another in its place. */
  claim(): Instance | undefined;
  /**
   * Resolves once a browser has been started, even if none is to be kept; rejects with the reason why it could not. The
   * rest are started afterwards.
   */
  prove(): Promise<void>;
  close(): Promise<void>;
}

export function createPool({ size, start, logger }: PoolOptions): Pool {
  const waiting = new Set<Instance>();
  let filling: Promise<void> | undefined;
  let proving: Promise<void> | undefined;
  let closed = false;

  const startOne = async () => {
    const instance = await start();
    if (closed || waiting.size >= size) return instance.close();
    instance.onDeath(() => {
      if (!waiting.delete(instance)) return;
      logger.warn('A waiting browser died.');
      void instance.close().then(fill);
    });
    if (instance.alive) waiting.add(instance);
  };
  /** Starts the missing browsers one after the other, so that sessions keep most of the machine. */
  const refill = async () => {
    while (!closed && waiting.size < size) await startOne();
  };
  // The next claim tries again. A create without a waiting browser starts its own and reports the failure.
  const notFilled = (error: unknown) => logger.error({ err: error }, 'A browser could not be started ahead.');
  const whenFilled = () => void (filling = undefined);
  const fill = () => (filling ??= refill().catch(notFilled).finally(whenFilled));
  const prove = async () => {
    await filling;
    if (waiting.size === 0) await startOne();
    void fill();
  };
  return {
    claim: () => {
      const instance = longestIn(waiting);
      void fill();
      return instance;
    },
    prove: () => (proving = prove()),
    close: async () => {
      closed = true;
      await Promise.allSettled([filling, proving]);
      await Promise.all([...waiting].map((instance) => instance.close()));
    },
  };
}

/** Takes the browser that has waited longest. */
function longestIn(waiting: Set<Instance>): Instance | undefined {
  const [instance] = waiting;
  if (instance) waiting.delete(instance);
  return instance;
}

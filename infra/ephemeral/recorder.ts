import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';

/** Ports for recording data beside requests. */
export interface RecorderPorts {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Options<Value> extends Omit<RecorderPorts, 'clock'> {
  /** Name of the recorded data, for the log. */
  readonly what: string;
  /** SQL whose first parameter is the array of keys, in the same order as the values in the other parameters. */
  readonly statement: { readonly name: string; readonly text: string; readonly query_timeout?: number };
  readonly parametersOf: (values: readonly Value[]) => readonly unknown[];
  /** Whether it replaces the pending value of the same key. */
  readonly isNewer: (value: Value, waiting: Value) => boolean;
  /** Called for every failed statement. */
  readonly onFailure?: () => void;
}

const retryMs = 100;

/**
 * Records values by key. Values of one turn of the event loop, or that arrive during the previous statement, share one statement.
 * The returned promise resolves once the value is recorded, or its statement has failed, and never rejects. Values of a failed
 * statement are retried until they are written.
 */
export function createRecorder<Value>(options: Options<Value>): (key: string, value: Value) => Promise<void> {
  const { pool, logger, what, statement, parametersOf, isNewer, onFailure } = options;
  let waiting = new Map<string, Value>();
  let queued: Promise<void> | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isFailing = false;

  const add = (key: string, value: Value): void => {
    const known = waiting.get(key);
    if (known === undefined || isNewer(value, known)) waiting.set(key, value);
  };
  const write = async (batch: Map<string, Value>): Promise<void> => {
    // Sorted, so that two processes never lock the same rows in opposite orders.
    const rows = [...batch].sort(([a], [b]) => (a < b ? -1 : 1));
    const values = [rows.map(([key]) => key), ...parametersOf(rows.map(([, value]) => value))];
    try {
      await pool.query({ ...statement, values });
      isFailing = false;
    } catch (error) {
      onFailure?.();
      if (!isFailing)
        logger.warn({ err: error, notes: batch.size }, `${what} could not be recorded; retrying.`);
      isFailing = true;
      for (const [key, value] of batch) add(key, value);
      if (!pool.ended) setTimeout(() => void (queued ??= flush()), retryMs).unref();
    }
  };
  const flush = async (): Promise<void> => {
    await writing;
    await new Promise<void>((resolve) => setImmediate(resolve));
    const batch = waiting;
    waiting = new Map();
    queued = undefined;
    writing = write(batch);
    await writing;
  };
  return (key, value) => {
    add(key, value);
    return (queued ??= flush());
  };
}

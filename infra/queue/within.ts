import { setTimeout as delay } from 'node:timers/promises';

/** The late result of what did not come in time is of no use; its failure has been told already. */
export async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const timeout = delay(limitMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`The queue took longer than ${limitMs} ms.`);
  });
  timeout.catch(() => undefined);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    timer.abort();
  }
}

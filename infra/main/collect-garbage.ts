import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Time until the start-up work of a process is done; ms. */
const settledMs = 3000;

/**
 * Runs one garbage collection after start-up, which leaves half of a process's memory as garbage: compiled schemas and read
 * modules. V8 itself collects only when memory is short, which in a mostly idle process may be never.
 */
export const collectGarbageOnceServing = (): void => void setTimeout(collectGarbage, settledMs).unref();

export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Restored, because with another option a process cannot use V8's code cache.
  setFlagsFromString('--no-expose-gc');
  collect();
}

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a process does right after it serves has been done by then; ms. */
const settledMs = 3000;

/**
 * Collects once what starting leaves behind: schemas that were compiled, modules that were read, half of a process's memory.
 * V8 comes to it by itself when memory runs short, which in a process that waits most of the time may be never.
 */
export const collectGarbageOnceServing = (): void => void setTimeout(collectGarbage, settledMs).unref();

export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // With another option than it began with, a process could not use what V8 keeps of its program.
  setFlagsFromString('--no-expose-gc');
  collect();
}

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/**
 * Resolves once the program runs. Rejects if it cannot be started, as at a limit of processes or open files: the child then emits
 * `error`, which ends this process if nobody listens. To be called in the same turn as `spawn`.
 */
export async function started<C extends ChildProcess>(child: C): Promise<C> {
  await once(child, 'spawn');
  return child;
}

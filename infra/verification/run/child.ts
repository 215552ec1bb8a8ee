import type { ChildProcess } from 'node:child_process';
import { withNiceness } from '../../platform/niceness.ts';

const running = new Set<ChildProcess>();

/**
 * Starts a process of this run in a session of its own, so that it gets its share of the processors: in one session,
 * all parts together would get as much as one process of a stack.
 */
export function partOfTheRun<C extends ChildProcess>(child: C): C {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return withNiceness(child);
}

/** A Ctrl-C at the terminal only reaches this process: it passes it on to its parts and exits. */
export function passSignalsOn(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      for (const { pid } of running) if (pid !== undefined) process.kill(-pid, signal);
      process.exit(1);
    });
}

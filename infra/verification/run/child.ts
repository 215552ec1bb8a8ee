import type { ChildProcess } from 'node:child_process';
import { asNice } from '../../platform/niceness.ts';

const running = new Set<ChildProcess>();

/**
 * Counts a process to this run. It is in a session of its own, so that it gets its share of the machine: in one session all
 * parts would have together what one process of a stack has.
 */
export function partOfTheRun<C extends ChildProcess>(child: C, niceness?: number): C {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return asNice(child, niceness);
}

/** A Ctrl-C at the terminal reaches this process alone: it passes it on to its parts and ends. */
export function passSignalsOn(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      for (const { pid } of running) if (pid !== undefined) process.kill(-pid, signal);
      process.exit(1);
    });
}

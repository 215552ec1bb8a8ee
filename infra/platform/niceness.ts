import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * Gives a process that was started in a session of its own this one's niceness, or the given one. Linux weighs sessions
 * before it weighs the processes in them, by a niceness that each new session begins without (sched(7), autogroup):
 * without this, `nice` would have no effect on it.
 */
export function asNice<C extends ChildProcess>(child: C, niceness = getPriority()): C {
  if (child.pid === undefined || niceness === 0) return child;
  try {
    setPriority(child.pid, niceness);
    writeFileSync(`/proc/${child.pid}/autogroup`, String(niceness));
  } catch {
    // It has ended, or the kernel has no such weights: nothing depends on them.
  }
  return child;
}

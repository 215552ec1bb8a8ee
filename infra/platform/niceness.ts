import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * Makes a process that was started in a session of its own as nice as this one is, or as it is told. Linux weighs sessions
 * before it weighs the processes in them, by a niceness that each new session begins without (sched(7), autogroup): what
 * `nice` was meant for would otherwise take as large a share as anybody.
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

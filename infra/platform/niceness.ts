import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * Applies this process's niceness, or the given one, to a process started in its own session. Linux weighs sessions before the
 * processes in them, and each new session starts with a niceness of its own (sched(7), autogroup): without this, `nice` would
 * have no effect.
 */
export function withNiceness<C extends ChildProcess>(child: C, niceness = getPriority()): C {
  if (child.pid === undefined || niceness === 0) return child;
  try {
    setPriority(child.pid, niceness);
    writeFileSync(`/proc/${child.pid}/autogroup`, String(niceness));
  } catch {
    // It has ended, or the kernel lacks autogroups: nothing depends on it.
  }
  return child;
}

import type { Logger } from 'pino';
import type { KernelBounds } from './control-group-rows.ts';
import type { ControlGroups } from './control-groups.ts';
import { contentOf } from './kernel-files.ts';

/**
 * Logs, for each bound of a browser, what enforces it on this machine. The kernel enforces at once, the watch only at
 * its next sample.
 */
export function tellHolders({ bounds }: ControlGroups, logger: Logger): void {
  const held = (bound: keyof KernelBounds, otherwise: string) =>
    bounds.has(bound) ? 'control group' : otherwise;
  const holders = {
    memory: held('memoryBytes', 'watch'),
    threads: held('threads', 'watch'),
    cpu: held('cpuShare', hasSessionGroups() ? 'kernel group of its session' : 'nothing'),
    processors: held('processors', 'nothing'),
    disk: 'watch, and a limit of each file',
    open_files: 'limit of each process',
    connections: 'proxy of each browser',
  };
  logger.info(holders, 'The limits of browsers are enforced by these means.');
}

/** Whether Linux shares the processors between sessions first and processes second: sched(7), autogroup. */
const hasSessionGroups = (): boolean => contentOf('/proc/sys/kernel/sched_autogroup_enabled')?.trim() === '1';

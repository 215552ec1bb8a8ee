import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { total, usedBy } from '../../bench/system/system-processes.ts';
import type { Measured, ResourceUsage } from './usage.ts';

/** Reads memory on request, in a process of its own: adding up hundreds of processes blocks it for a second. */
process.on('message', (look: Measured) => process.send?.(usageOf(look)));

function usageOf({ processes, runtimeDir }: Measured): ResourceUsage {
  const used = usedBy(processes);
  return {
    serviceMb: total(used).ownMb,
    byProcessMb: Object.fromEntries(Object.entries(used).map(([name, { ownMb }]) => [name, ownMb])),
    nodeMb: residentMb(processes.node),
    // Processes that vanish meanwhile cause a warning, and the rest is counted.
    diskMb: Number.parseInt(spawnSync('du', ['-sm', runtimeDir]).stdout.toString(), 10),
    browsers: readdirSync(runtimeDir).length,
  };
}

const residentMb = (pid = 0): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

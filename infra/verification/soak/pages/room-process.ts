import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { total, usedBy } from '../../bench/system/system-processes.ts';
import type { Look, Room } from './room.ts';

/** Looks when it is asked to: to add up the memory of hundreds of processes holds its own process up for a second, and nobody else's. */
process.on('message', (look: Look) => process.send?.(roomOf(look)));

function roomOf({ processes, runtimeDir }: Look): Room {
  return {
    serviceMb: total(usedBy(processes)).pssMb,
    nodeMb: residentMb(processes.node),
    // It complains of what vanishes meanwhile, and counts the rest.
    diskMb: Number.parseInt(spawnSync('du', ['-sm', runtimeDir]).stdout.toString(), 10),
    browsers: readdirSync(runtimeDir).length,
  };
}

const residentMb = (pid = 0): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { readStack, removeStack } from './stack-file.ts';

const LIMIT_MS = 10_000;
const POLL_MS = 20;

/**
 * Ends what a supervisor that was killed left running on this data directory: two event stores on one directory would
 * be worse than none. A process is one of ours only when its command line says so; ids are reused.
 */
export async function endLeftovers(dataDir: string): Promise<void> {
  const pids = Object.values(readStack(dataDir)?.processes ?? {}).filter(isOurs);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  const end = performance.now() + LIMIT_MS;
  while (pids.some(isOurs)) {
    if (performance.now() > end)
      throw new Error(`Processes left over from an earlier start do not end: ${pids.join()}`);
    await delay(POLL_MS);
  }
  removeStack(dataDir);
}

function isOurs(pid: number): boolean {
  try {
    return /infra\/main\/run\.mjs\0(role|event-store)\0/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}

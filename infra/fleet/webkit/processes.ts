import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { contentOf } from './kernel-files.ts';

/** Environment variable that every process of a browser inherits: the browser's directory. */
export const ownerVariable = 'SERVICE_BROWSER';

/**
 * Ids of live processes whose owner directory is `directory` or lies within it. Reads `/proc`, which shows the
 * environment of this user's processes only.
 */
export function processesOf(directory: string): number[] {
  const own = `\0${ownerVariable}=${directory}`;
  return readdirSync('/proc')
    .map(Number)
    .filter(Number.isInteger)
    .filter((pid) => {
      const environment = `\0${contentOf(`/proc/${pid}/environ`) ?? ''}`;
      return environment.includes(`${own}\0`) || environment.includes(`${own}/`);
    });
}

/** Milliseconds that the kernel may take to end a killed process, which may have gigabytes of memory to free. */
export const endingMs = 30_000;

/**
 * Kills all processes of a directory. A reused process id does no harm, because each process is checked by its
 * environment. Rejects when one survives.
 */
export async function endProcesses(directory: string): Promise<void> {
  const end = performance.now() + endingMs;
  for (let left = processesOf(directory); left.length > 0; left = processesOf(directory)) {
    if (performance.now() > end) throw new Error(`Processes ${left.join(', ')} do not end.`);
    left.forEach(kill);
    await delay(10);
  }
}

/** It may have exited with another one. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Every process of a browser, whatever started it, inherits this variable: the directory of that browser. */
export const ownerVariable = 'SERVICE_BROWSER';

/** The live processes whose owner directory is `directory` or lies within it. Reads `/proc`: processes of this user only. */
export function processesOf(directory: string): number[] {
  const own = `\0${ownerVariable}=${directory}`;
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      const environment = `\0${environmentOf(pid)}`;
      return environment.includes(`${own}\0`) || environment.includes(`${own}/`);
    });
}

function environmentOf(pid: number): string {
  try {
    return Number.isInteger(pid) ? readFileSync(`/proc/${pid}/environ`, 'latin1') : '';
  } catch {
    // It ended meanwhile, or is another user's.
    return '';
  }
}

/** Milliseconds in which the kernel ends what was killed: it may have gigabytes of memory to free. */
export const endingMs = 30_000;

/**
 * Kills everything that belongs to a directory. Ids cannot be mistaken for a later process's, since each one's own environment
 * says whose it is. Rejects when something survives.
 */
export async function endProcesses(directory: string): Promise<void> {
  const end = performance.now() + endingMs;
  for (let left = processesOf(directory); left.length > 0; left = processesOf(directory)) {
    if (performance.now() > end) throw new Error(`Processes ${left.join(', ')} do not end.`);
    left.forEach(kill);
    await delay(10);
  }
}

/** With another, it may be gone already. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

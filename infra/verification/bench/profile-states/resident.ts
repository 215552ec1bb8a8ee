import { readFileSync, writeFileSync } from 'node:fs';

/** Maximal resident memory of each process while `work` runs, in MB, without child processes. */
export async function peaksDuring(pids: readonly number[], work: () => Promise<void>): Promise<number[]> {
  for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, resetPeak);
  await work();
  return pids.map(peakOf);
}

/** Resets the high-water mark, see proc(5). */
const resetPeak = '5';

const peakOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

import { readFileSync, writeFileSync } from 'node:fs';

/** The most resident memory that each process has while `work` runs, in MB; without the processes that it has started. */
export async function peaksDuring(pids: readonly number[], work: () => Promise<void>): Promise<number[]> {
  for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, resetPeak);
  await work();
  return pids.map(peakOf);
}

/** proc(5): the high-water mark begins anew. */
const resetPeak = '5';

const peakOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Side } from './subject.ts';

/** One run of one side. */
export interface Run {
  readonly seconds: number;
  readonly operationsPerSecond: number;
  /** CPU microseconds of each operation, user and system. */
  readonly cpuMicros: number;
  /** 99th percentile of the event loop's delay, milliseconds. */
  readonly loopDelayMs: number;
  /** Share of CPU time that the hypervisor took away, 0 to 1; 0 where the system does not report it. */
  readonly steal: number;
}

const ownCpuUsage = async (): Promise<NodeJS.CpuUsage> => process.cpuUsage();

/** Runs a side's own number of operations, or else the given one. */
export async function measure(side: Side, usual: number): Promise<Run> {
  const { operations = usual } = side;
  const cpuUsage = side.cpuUsage ?? ownCpuUsage;
  const delay = monitorEventLoopDelay({ resolution: 10 });
  const cpuBefore = await cpuUsage();
  const ticksBefore = cpuTicks();
  delay.enable();
  const startedAt = performance.now();
  await side.run(operations);
  const seconds = (performance.now() - startedAt) / 1000;
  delay.disable();
  const cpuAfter = await cpuUsage();
  return {
    seconds,
    operationsPerSecond: operations / seconds,
    cpuMicros: (cpuAfter.user - cpuBefore.user + cpuAfter.system - cpuBefore.system) / operations,
    // Samples of the monitor are `resolution` apart, which is subtracted from the delay.
    loopDelayMs: Math.max(0, delay.percentile(99) / 1e6 - 10),
    steal: stolenShare(ticksBefore, cpuTicks()),
  };
}

interface CpuTicks {
  readonly total: number;
  readonly stolen: number;
}

/** The first line of `/proc/stat` (proc(5)): user nice system idle iowait irq softirq steal …, in clock ticks. */
function cpuTicks(): CpuTicks {
  if (process.platform !== 'linux') return { total: 0, stolen: 0 };
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
  return { total: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[7] ?? 0 };
}

const stolenShare = (before: CpuTicks, after: CpuTicks): number =>
  after.total > before.total ? (after.stolen - before.stolen) / (after.total - before.total) : 0;

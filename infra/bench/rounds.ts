import { measure, type Run } from './measure.ts';
import type { Side } from './subject.ts';

/** Min, median and max of the rounds that count. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export interface Comparison {
  /** Throughput of the first side over the second's, per round. */
  readonly ratio: Spread;
  /** CPU per operation of the second side over the first's: the same ratio by a steadier clock. */
  readonly cpuRatio: Spread;
  readonly ours: { readonly operationsPerSecond: Spread; readonly cpuMicros: Spread };
  readonly raw: { readonly operationsPerSecond: Spread; readonly cpuMicros: Spread };
  readonly loopDelayMs: number;
  readonly rounds: number;
  /** Rounds left out because the machine was taken away from us. */
  readonly voided: number;
}

/** More CPU steal than this and a round says nothing. */
const maxSteal = 0.02;

interface Round {
  readonly ours: Run;
  readonly raw: Run;
}

/**
 * Compares two sides in the order ours, raw, raw, ours, so that a drift of the machine within a round falls on both.
 * The first round warms up and is dropped.
 */
export async function compare(
  ours: Side,
  raw: Side,
  { operations, rounds }: { operations: number; rounds: number },
): Promise<Comparison> {
  const measured: Round[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const first = await measure(ours, operations);
    const second = await measure(raw, operations);
    const third = await measure(raw, operations);
    const fourth = await measure(ours, operations);
    measured.push({ ours: mean(first, fourth), raw: mean(second, third) });
  }
  const warm = measured.slice(1);
  const counted = warm.filter((round) => Math.max(round.ours.steal, round.raw.steal) <= maxSteal);
  return summarise(counted.length > 0 ? counted : warm, warm.length - counted.length);
}

/** Two runs of the same number of operations as one. */
const mean = (a: Run, b: Run): Run => ({
  seconds: a.seconds + b.seconds,
  operationsPerSecond:
    (2 * a.operationsPerSecond * b.operationsPerSecond) / (a.operationsPerSecond + b.operationsPerSecond),
  cpuMicros: (a.cpuMicros + b.cpuMicros) / 2,
  loopDelayMs: Math.max(a.loopDelayMs, b.loopDelayMs),
  steal: Math.max(a.steal, b.steal),
});

function summarise(rounds: readonly Round[], voided: number): Comparison {
  const over = (value: (round: Round) => number) => spread(rounds.map(value));
  return {
    ratio: over(({ ours, raw }) => ours.operationsPerSecond / raw.operationsPerSecond),
    cpuRatio: over(({ ours, raw }) => raw.cpuMicros / ours.cpuMicros),
    ours: {
      operationsPerSecond: over(({ ours }) => ours.operationsPerSecond),
      cpuMicros: over(({ ours }) => ours.cpuMicros),
    },
    raw: {
      operationsPerSecond: over(({ raw }) => raw.operationsPerSecond),
      cpuMicros: over(({ raw }) => raw.cpuMicros),
    },
    loopDelayMs: Math.max(...rounds.map(({ ours }) => ours.loopDelayMs)),
    rounds: rounds.length,
    voided,
  };
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    min: at(0),
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    max: at(sorted.length - 1),
  };
}

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
  /** CPU per operation of the second side over the first's: the same ratio, less affected by disturbances. */
  readonly cpuRatio: Spread;
  readonly ours: { readonly operationsPerSecond: Spread; readonly cpuMicros: Spread };
  readonly raw: { readonly operationsPerSecond: Spread; readonly cpuMicros: Spread };
  readonly loopDelayMs: number;
  /** Number of rounds that count. If it is 0, every round was disturbed, and the figures are of those. */
  readonly rounds: number;
  /** Rounds that were dropped because something else used the machine. */
  readonly voided: number;
}

/** With more CPU steal than this, a round is dropped. */
const maxSteal = 0.02;
/** Likewise for the p99 of the event loop's delay, when the work is in another process. */
const maxLoopDelayMs = 50;
/** A dropped round is measured again, at most as many times as there are rounds. */
const patience = 2;

interface Round {
  readonly ours: Run;
  readonly raw: Run;
}

/**
 * Compares two sides in the order ours, raw, raw, ours, so that a drift of the machine within a round affects both. The
 * first round warms up and is dropped.
 */
export async function compare(
  ours: Side,
  raw: Side,
  { operations, rounds }: { operations: number; rounds: number },
): Promise<Comparison> {
  await measureRound(ours, raw, operations);
  const counted: Round[] = [];
  const voided: Round[] = [];
  while (counted.length < rounds && counted.length + voided.length < patience * rounds) {
    const round = await measureRound(ours, raw, operations);
    const undisturbed = isUndisturbed(ours, round.ours) && isUndisturbed(raw, round.raw);
    (undisturbed ? counted : voided).push(round);
  }
  const figures = summarise(counted.length > 0 ? counted : voided);
  return { ...figures, rounds: counted.length, voided: voided.length };
}

async function measureRound(ours: Side, raw: Side, operations: number): Promise<Round> {
  const first = await measure(ours, operations);
  const second = await measure(raw, operations);
  const third = await measure(raw, operations);
  const fourth = await measure(ours, operations);
  return { ours: mean(first, fourth), raw: mean(second, third) };
}

/** The loop's delay indicates a disturbance only if the work is in another process; otherwise the work causes it. */
const isUndisturbed = ({ cpuUsage }: Side, { steal, loopDelayMs }: Run): boolean =>
  steal <= maxSteal && (cpuUsage === undefined || loopDelayMs <= maxLoopDelayMs);

/** Two runs of the same number of operations, combined. */
const mean = (a: Run, b: Run): Run => ({
  seconds: a.seconds + b.seconds,
  operationsPerSecond:
    (2 * a.operationsPerSecond * b.operationsPerSecond) / (a.operationsPerSecond + b.operationsPerSecond),
  cpuMicros: (a.cpuMicros + b.cpuMicros) / 2,
  loopDelayMs: Math.max(a.loopDelayMs, b.loopDelayMs),
  steal: Math.max(a.steal, b.steal),
});

function summarise(rounds: readonly Round[]): Omit<Comparison, 'rounds' | 'voided'> {
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

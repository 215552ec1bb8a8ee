import { spread, type Spread } from '../rounds.ts';

/** Work that is called repeatedly in this process. */
export type Work = () => Promise<unknown>;

export interface CpuFigure {
  /** CPU microseconds of a call by round, including garbage collection. */
  readonly micros: Spread;
  /** The median ratio of two runs of the same work within a round. */
  readonly control: number;
}

export type CpuFigures<Name extends string> = Readonly<Record<Name, CpuFigure>>;

const rounds = 7;

/**
 * Cost of each work, measured in turns forwards and backwards, so that a drift of the machine within a round affects
 * all. The first round warms up and is dropped. @param calls of a work in one run
 */
export async function cpuInTurns<Name extends string>(
  works: Readonly<Record<Name, Work>>,
  calls: number,
): Promise<CpuFigures<Name>> {
  const measured = Object.entries<Work>(works).map(([name, work]) => ({
    ...{ name, work },
    there: [] as number[],
    back: [] as number[],
  }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { work, there } of measured) there.push(await cpuMicros(work, calls));
    for (const { work, back } of measured.toReversed()) back.push(await cpuMicros(work, calls));
  }
  const figures = measured.map(({ name, there, back }) => [name, figureOf(there.slice(1), back.slice(1))]);
  return Object.fromEntries(figures) as CpuFigures<Name>;
}

function figureOf(there: readonly number[], back: readonly number[]): CpuFigure {
  const pairs = there.map((micros, round) => ({ micros, again: back[round] ?? micros }));
  return {
    micros: spread(pairs.map(({ micros, again }) => (micros + again) / 2)),
    control: spread(pairs.map(({ micros, again }) => again / micros)).median,
  };
}

async function cpuMicros(work: Work, calls: number): Promise<number> {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

/** Figures for a check's output: median and span of each work's rounds, and the control that is furthest from 1. */
export function asFigures(figures: Readonly<Record<string, CpuFigure>>): Readonly<Record<string, number>> {
  const micros = Object.entries(figures).flatMap(
    ([
      name,
      {
        micros: { median, min, max },
      },
    ]) => [
      [`${name}_us`, median],
      [`${name}_us_min`, min],
      [`${name}_us_max`, max],
    ],
  );
  const controls = Object.values(figures).map(({ control }) => control);
  const [control = Number.NaN] = controls.toSorted((a, b) => Math.abs(b - 1) - Math.abs(a - 1));
  return { ...(Object.fromEntries(micros) as Record<string, number>), control };
}

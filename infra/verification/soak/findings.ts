import { total, type Use } from '../bench/system/system-processes.ts';
import type { SoakResult } from './soak-result.ts';
import type { Sample } from './sampling.ts';

/** Growth over the steady part of a soak, and whether it is too much. */
export interface Growth {
  readonly what: string;
  readonly unit: string;
  /** Medians of the first and of the last third of the steady part. */
  readonly from: number;
  readonly to: number;
  /** Slope of the least-squares line through the steady part. */
  readonly perHour: number;
  /** Maximal difference of `to` and `from`. */
  readonly allowed: number;
  readonly passed: boolean;
}

/** The first part of the samples is warm-up: caches fill, code is compiled. */
const warmUpShare = 0.25;

/** An absolute growth, and a share of the initial value. */
interface Allowed {
  readonly plus: number;
  readonly share: number;
}

type Reading<S = Sample> = (sample: S) => number | undefined;

export const afterWarmUp = <S>(samples: readonly S[]): readonly S[] =>
  samples.slice(Math.floor(samples.length * warmUpShare));

export function growths({ samples }: SoakResult): readonly Growth[] {
  const steady = afterWarmUp(samples);
  return [...ofProcesses(steady), ...ofTheWhole(steady), ...ofOperations(steady)];
}

const ofProcesses = (steady: readonly Sample[]): Growth[] =>
  Object.keys(steady[0]?.used ?? {}).flatMap((name) => [
    growth(steady, { what: `memory of ${name}`, unit: 'MB' }, withoutYoung(name), { plus: 12, share: 0.05 }),
    growth(steady, { what: `open files of ${name}`, unit: '' }, ({ used }) => used[name]?.files, {
      plus: 20,
      share: 0.05,
    }),
  ]);

/** V8 doubles the young generation, up to a bound that is a flag of the process, whenever much of it survives: that is no leak. */
const withoutYoung =
  (name: string): Reading =>
  ({ used, youngMb }) => {
    const own = used[name]?.ownMb;
    return own === undefined ? undefined : own - (youngMb[name] ?? 0);
  };

function ofTheWhole(steady: readonly Sample[]): Growth[] {
  const one = (what: string, unit: string, read: Reading, allowed: Allowed) =>
    growth(steady, { what, unit }, read, allowed);
  const worstDelay: Reading = ({ loopDelayMs }) => Math.max(...Object.values(loopDelayMs));
  return [
    one('memory in all', 'MB', inAll('ownMb'), { plus: 15, share: 0.05 }),
    one('open files in all', '', inAll('files'), { plus: 40, share: 0.05 }),
    one('processes', '', inAll('processes'), { plus: 3, share: 0 }),
    one('Postgres connections', '', ({ postgresConnections }) => postgresConnections, { plus: 5, share: 0 }),
    one('worst event loop delay, p99', 'ms', worstDelay, { plus: 10, share: 1 }),
    one('projection lag', 'ms', ({ projectionLagMs }) => projectionLagMs, { plus: 20, share: 1 }),
  ];
}

const ofOperations = (steady: readonly Sample[]): Growth[] =>
  [...new Set(steady.flatMap(({ latency }) => Object.keys(latency)))].flatMap((name) => [
    growth(steady, { what: `${name} p50`, unit: 'ms' }, ({ latency }) => latency[name]?.p50Ms, {
      plus: 2,
      share: 0.3,
    }),
    growth(steady, { what: `${name} p99`, unit: 'ms' }, ({ latency }) => latency[name]?.p99Ms, {
      plus: 10,
      share: 0.7,
    }),
  ]);

const inAll =
  (field: keyof Use): Reading =>
  ({ used }) =>
    total(used)[field];

/** `at` is in seconds. */
export function growth<S extends { readonly at: number }>(
  samples: readonly S[],
  { what, unit }: Pick<Growth, 'what' | 'unit'>,
  read: Reading<S>,
  { plus, share }: Allowed,
): Growth {
  const points = samples.flatMap((sample) => {
    const value = read(sample);
    return value === undefined ? [] : [{ hours: sample.at / 3600, value }];
  });
  const third = Math.max(1, Math.floor(points.length / 3));
  const from = median(points.slice(0, third).map(({ value }) => value));
  const to = median(points.slice(-third).map(({ value }) => value));
  const allowed = plus + from * share;
  return { what, unit, from, to, perHour: slope(points), allowed, passed: to - from <= allowed };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

function slope(points: readonly { readonly hours: number; readonly value: number }[]): number {
  const mean = (of: (point: { hours: number; value: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / Math.max(1, points.length);
  const [hours, value] = [mean((point) => point.hours), mean((point) => point.value)];
  const spread = mean((point) => (point.hours - hours) ** 2);
  return spread === 0 ? 0 : mean((point) => (point.hours - hours) * (point.value - value)) / spread;
}

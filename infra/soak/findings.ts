import { total, type Use } from '../bench/system-processes.ts';
import type { Soaked } from './run.ts';
import type { Sample } from './sampling.ts';

/** What grew over the steady part of a soak, and whether that is too much. */
export interface Growth {
  readonly what: string;
  readonly unit: string;
  /** Medians of the first and of the last third of the steady part. */
  readonly from: number;
  readonly to: number;
  /** Of the least-squares line through the steady part. */
  readonly perHour: number;
  /** The most that `to` may be above `from`. */
  readonly allowed: number;
  readonly passed: boolean;
}

/** The first part of the samples is warm-up: caches fill, code is compiled. */
const warmUpShare = 0.25;

type Reading = (sample: Sample) => number | undefined;

export function growths({ samples }: Soaked): readonly Growth[] {
  const steady = samples.slice(Math.floor(samples.length * warmUpShare));
  const names = Object.keys(steady[0]?.used ?? {});
  const operations = [...new Set(steady.flatMap(({ latency }) => Object.keys(latency)))];
  return [
    ...names.map((name) =>
      growth(
        steady,
        `memory of ${name}`,
        'MB',
        ({ used }) => used[name]?.ownMb,
        (from) => Math.max(12, from * 0.15),
      ),
    ),
    growth(steady, 'memory in all', 'MB', inAll('ownMb'), (from) => Math.max(25, from * 0.07)),
    growth(steady, 'open files', '', inAll('files'), () => 20),
    growth(steady, 'processes', '', inAll('processes'), () => 3),
    growth(
      steady,
      'Postgres connections',
      '',
      ({ postgresConnections }) => postgresConnections,
      () => 5,
    ),
    growth(
      steady,
      'projection lag',
      'ms',
      ({ projectionLagMs }) => projectionLagMs,
      (from) => 20 + from,
    ),
    ...operations.flatMap((name) => [
      growth(
        steady,
        `${name} p50`,
        'ms',
        ({ latency }) => latency[name]?.p50Ms,
        (from) => 2 + from * 0.3,
      ),
      growth(
        steady,
        `${name} p99`,
        'ms',
        ({ latency }) => latency[name]?.p99Ms,
        (from) => 10 + from * 0.7,
      ),
    ]),
  ];
}

const inAll =
  (field: keyof Use): Reading =>
  ({ used }) =>
    total(used)[field];

function growth(
  samples: readonly Sample[],
  what: string,
  unit: string,
  read: Reading,
  allowedFrom: (from: number) => number,
): Growth {
  const points = samples.flatMap((sample) => {
    const value = read(sample);
    return value === undefined ? [] : [{ hours: sample.at / 3600, value }];
  });
  const third = Math.max(1, Math.floor(points.length / 3));
  const from = median(points.slice(0, third).map(({ value }) => value));
  const to = median(points.slice(-third).map(({ value }) => value));
  const allowed = allowedFrom(from);
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

import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { within } from '../platform/timeout.ts';

/** A number, or a reading per value of the gauge's first label, nested by label. */
export type Reading = number | { readonly [value: string]: Reading };

/** Label values come from small closed sets: each combination is a series, kept as long as the process. */
export type Labels<Name extends string> = Readonly<Record<Name, string>>;

export interface Metrics {
  /** One answered request. Durations are counted per route of the contract, never per URL. */
  request(route: string, method: string, status: number, durationMs: number): void;
  /** Read when scraped, at no cost for requests. A reading that fails, or takes too long, is left out. */
  gauge(name: string, help: string, read: () => Reading | Promise<Reading>, ...labels: string[]): void;
  /**
   * Returns a function that increments the counter, by 1 by default. Prometheus sees no increase in a series that
   * starts at 1. If an alert must notice the first count of a series, increment it by 0 at the start.
   */
  counter<Name extends string>(
    name: string,
    help: string,
    ...labels: Name[]
  ): (of: Labels<Name>, more?: number) => void;
  /** Returns a function that records a duration. The name ends in `_seconds`. */
  durations<Name extends string>(
    name: string,
    help: string,
    ...labels: Name[]
  ): (of: Labels<Name>, milliseconds: number) => void;
  /** The Prometheus text page. */
  page(): Promise<{ contentType: string; text: string }>;
}

const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Time limit of a gauge's reading, in milliseconds. Prometheus waits ten seconds by default for the whole page, and takes a process
 * that is later for one that is down.
 */
const READ_LIMIT_MS = 8_000;

/**
 * Interval of the samples of the event loop's delay, in milliseconds; the reported delays include it. At the default of 10, waking up for
 * them was a fifth of the processor time of an idle stack.
 */
export const LAG_INTERVAL_MS = 50;

/** One registry per process, including event-loop delay, memory and garbage collection. */
export function createMetrics(role: string, readLimitMs = READ_LIMIT_MS): Metrics {
  const registry = new Registry();
  const registers = [registry];
  registry.setDefaultLabels({ role });
  collectDefaultMetrics({
    register: registry,
    prefix: 'service_',
    eventLoopMonitoringPrecision: LAG_INTERVAL_MS,
  });
  const durations: Metrics['durations'] = (name, help, ...labelNames) => {
    const histogram = new Histogram({ name, help, labelNames, buckets: BUCKETS, registers });
    return (of, milliseconds) => histogram.observe(of, milliseconds / 1000);
  };
  const requests = durations(
    'service_http_request_duration_seconds',
    'Answered requests by route',
    'route',
    'method',
    'status',
  );
  return {
    request: (route, method, status, durationMs) =>
      requests({ route, method, status: String(status) }, durationMs),
    gauge: (name, help, read, ...labels) =>
      addGauge(registry, name, help, () => within(readLimitMs, (async () => read())()), labels),
    counter: (name, help, ...labelNames) => {
      const counter = new Counter({ name, help, labelNames, registers });
      return (of, more = 1) => counter.inc(of, more);
    },
    durations,
    page: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

function addGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => Promise<Reading>,
  labels: readonly string[],
): void {
  registry.registerMetric(
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [],
      async collect() {
        if (labels.length === 0) this.remove();
        else this.reset();
        const reading = await read().catch(() => undefined);
        if (reading === undefined) return;
        for (const [of, value] of series(reading, labels)) this.set(of, value);
      },
    }),
  );
}

/** The numbers of a reading, each with its label values. */
function* series(
  reading: Reading,
  [label, ...others]: readonly string[],
): Generator<[Record<string, string>, number]> {
  if (typeof reading === 'number') yield [{}, reading];
  else if (label !== undefined)
    for (const [value, inner] of Object.entries(reading))
      for (const [of, number] of series(inner, others)) yield [{ [label]: value, ...of }, number];
}

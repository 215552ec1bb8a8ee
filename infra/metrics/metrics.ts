import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** A number, or one for each value of the gauge's label. */
export type Reading = number | Readonly<Record<string, number>>;

export interface Metrics {
  /** One answered request. Seconds are counted per route of the contract, never per address. */
  request(route: string, method: string, status: number, durationMs: number): void;
  /** Read when scraped, so that it costs requests nothing. A reading that fails is left out. */
  gauge(name: string, help: string, read: () => Reading | Promise<Reading>, label?: string): void;
  /** The Prometheus text page. */
  page(): Promise<{ contentType: string; text: string }>;
}

const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** One registry per process. Event-loop delay, memory and garbage collection come with it. */
export function createMetrics(role: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ role });
  collectDefaultMetrics({ register: registry, prefix: 'service_' });
  const requests = new Histogram({
    name: 'service_http_request_duration_seconds',
    help: 'Answered requests by route',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  return {
    request: (route, method, status, durationMs) =>
      requests.observe({ route, method, status }, durationMs / 1000),
    gauge: (name, help, read, label) => addGauge(registry, name, help, read, label),
    page: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

function addGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => Reading | Promise<Reading>,
  label?: string,
): void {
  registry.registerMetric(
    new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [],
      async collect() {
        if (label === undefined) this.remove();
        else this.reset();
        const reading = await Promise.resolve(read()).catch(() => undefined);
        if (reading === undefined) return;
        if (typeof reading === 'number') this.set(reading);
        else
          for (const [value, count] of Object.entries(reading)) this.set({ [label ?? 'of']: value }, count);
      },
    }),
  );
}

import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { request } from 'undici';
import { LAG_INTERVAL_MS } from '../../metrics/index.ts';
import { percentile } from '../bench/latency.ts';
import { usedBy, type Use } from '../bench/system/system-processes.ts';
import type { Journal } from './workload.ts';

/** Measurements at one moment, and the requests since the previous sample. */
export interface Sample {
  /** Seconds since the load began. */
  readonly at: number;
  readonly used: Readonly<Record<string, Use>>;
  readonly postgresConnections: number;
  readonly projectionLagMs: number;
  /** p99 of the event loop's delay in milliseconds, by role. */
  readonly loopDelayMs: Readonly<Record<string, number>>;
  /** Size of V8's young generation in megabytes, by role. */
  readonly youngMb: Readonly<Record<string, number>>;
  readonly latency: Readonly<Record<string, Latency>>;
}

export interface Latency {
  readonly operations: number;
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Sampled {
  readonly processes: () => Readonly<Record<string, number>>;
  readonly postgresUrl: string;
  /** URL of each role's `/metrics`. */
  readonly metrics: Readonly<Record<string, string>>;
  readonly journal: Journal;
  readonly onSample: (sample: Sample) => void;
}

/** Takes a sample every `everyMs` until the signal aborts. */
export async function sampleUntil(
  stopped: AbortSignal,
  everyMs: number,
  { processes, postgresUrl, metrics, journal, onSample }: Sampled,
): Promise<readonly Sample[]> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  const samples: Sample[] = [];
  const startedAt = performance.now();
  const sample = async (): Promise<Sample> => {
    const pages = await Promise.all(
      Object.entries(metrics).map(async ([role, url]) => [role, await metricsOf(url)] as const),
    );
    const byRole = (name: string, factor: number, base = 0) =>
      Object.fromEntries(pages.map(([role, read]) => [role, read(name) * factor - base]));
    const projector = pages.find(([role]) => role === 'projector')?.[1];
    return {
      at: (performance.now() - startedAt) / 1000,
      used: usedBy(processes()),
      postgresConnections: await connections(client),
      projectionLagMs: (projector?.('service_projection_lag_seconds') ?? 0) * 1000,
      loopDelayMs: byRole('service_nodejs_eventloop_lag_p99_seconds', 1000, LAG_INTERVAL_MS),
      youngMb: byRole('service_nodejs_heap_space_size_total_bytes{space="new"[^}]*}', 2 ** -20),
      latency: latencies(journal),
    };
  };
  try {
    while (!stopped.aborted) {
      await delay(everyMs, undefined, { signal: stopped }).catch(() => undefined);
      const taken = await sample();
      samples.push(taken);
      onSample(taken);
    }
    return samples;
  } finally {
    await client.end();
  }
}

async function connections(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where backend_type = 'client backend'`,
  );
  return rows[0]?.count ?? 0;
}

/** Reads `/metrics`; the reader returns the first value whose name, with its labels, matches the expression; 0 if there is none. */
async function metricsOf(url: string): Promise<(name: string) => number> {
  const text = await (await request(`${url}/metrics`)).body.text();
  return (name) => Number(new RegExp(`^${name}(?:{[^}]*})? (\\S+)`, 'm').exec(text)?.[1] ?? 0);
}

function latencies(journal: Journal): Sample['latency'] {
  return Object.fromEntries(
    Object.entries(journal.take()).map(([name, { took, failures }]) => [
      name,
      {
        operations: took.length,
        failures,
        p50Ms: percentile(took, 0.5),
        p99Ms: percentile(took, 0.99),
      },
    ]),
  );
}

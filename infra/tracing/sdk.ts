import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../logging/index.ts';
import type { Tracing } from './index.ts';
import { Recorder } from './recorder.ts';
import { ErrorsAlways, headSampler } from './sampling.ts';

export interface TracingOptions {
  /** Base address of a collector that speaks OTLP over HTTP; `/v1/traces` comes after it. */
  readonly endpoint: string;
  /** Share of traces that are exported, from 0 to 1. Those with an error always are. */
  readonly ratio: number;
  readonly role: string;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
}

export interface RunningTracing {
  readonly tracing: Tracing;
  /** Sends what is left. */
  close(): Promise<void>;
}

const exportLimitMs = 5_000;

/** Loaded only where tracing is on. */
export function startTracing(options: TracingOptions): RunningTracing {
  const batches = new BatchSpanProcessor(exporterOf(options), { exportTimeoutMillis: exportLimitMs });
  const provider = new BasicTracerProvider({
    sampler: headSampler(options.ratio),
    resource: resourceFromAttributes({
      'service.namespace': 'service',
      'service.name': options.role,
      'service.instance.id': String(process.pid),
    }),
    spanProcessors: [new ErrorsAlways(batches)],
  });
  return {
    tracing: new Recorder(provider.getTracer('service')),
    // What did not arrive was said as it did not.
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** `OTEL_EXPORTER_OTLP_HEADERS` it reads itself. A collector that is away costs spans, and one line when it goes. */
function exporterOf({ endpoint, logger }: TracingOptions): SpanExporter {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: exportLimitMs });
  let isAway = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        if (failed && !isAway) logger.warn({ spans: spans.length }, 'Traces do not reach the collector.');
        if (!failed && isAway) logger.info('Traces reach the collector again.');
        isAway = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

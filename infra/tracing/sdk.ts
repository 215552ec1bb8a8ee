import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../logging/index.ts';
import type { Tracing } from './index.ts';
import { Recorder } from './recorder.ts';
import { ErrorsAlways, headSampler } from './sampling.ts';

export interface TracingOptions {
  /** Base URL of an OTLP collector over HTTP; `/v1/traces` is appended. */
  readonly endpoint: string;
  /** Share of exported traces, from 0 to 1. Those with an error always are. */
  readonly ratio: number;
  readonly role: string;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
}

export interface RunningTracing {
  readonly tracing: Tracing;
  /** Exports the remaining spans. */
  close(): Promise<void>;
}

const exportLimitMs = 5_000;

/** Loaded only if tracing is enabled. */
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
    // Export failures were logged when they occurred.
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** The exporter reads `OTEL_EXPORTER_OTLP_HEADERS` itself. An unavailable collector loses spans, and is logged once. */
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

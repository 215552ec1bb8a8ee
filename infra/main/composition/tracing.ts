import { within } from '../../platform/timeout.ts';
import { traceWith } from '../../tracing/index.ts';
import type { RoleContext } from '../roles/role.ts';

/** What may still be sent as a process ends, milliseconds. */
const farewellMs = 2_000;

/** Traces go to the collector that is named. Where none is, nothing of OpenTelemetry is loaded. */
export async function openTracing({
  config,
  logger,
  lifetime,
  name,
}: Pick<RoleContext, 'config' | 'logger' | 'lifetime' | 'name'>): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio } = config;
  if (endpoint === undefined) return;
  const { startTracing } = await import('../../tracing/sdk.ts');
  const { tracing, close } = startTracing({ endpoint, ratio, role: name, logger });
  traceWith(tracing);
  lifetime.defer('traces', () => within(farewellMs, close()).catch(() => undefined));
}

import { within } from '../../platform/timeout.ts';
import { traceWith } from '../../tracing/index.ts';
import type { RoleContext } from '../roles/role.ts';

/** Time limit for exporting at the end of a process, in milliseconds. */
const farewellMs = 2_000;

/** Exports traces to the configured collector. Without one, nothing of OpenTelemetry is loaded. */
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

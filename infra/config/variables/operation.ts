import { logLevels } from '../../logging/levels.ts';
import { credential, duration, integer, oneOf, optional, share, standard, url, urls } from '../kinds.ts';

/** Running it. */
export const operation = {
  LOG_LEVEL: standard(
    oneOf(...logLevels),
    'info',
    'The least severe line that is logged; `service log-level` changes it while a process runs.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    url('http', 'https'),
    'Base address of an OpenTelemetry collector that speaks OTLP over HTTP, to which [traces](operations.md#traces) are sent; none are made without one.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: optional(
    credential,
    'Headers for that collector, such as `api-key=…`; several are separated by commas.',
  ),
  OTEL_TRACES_SAMPLER_ARG: standard(
    share,
    '1',
    'Share of requests whose traces are sent. What fails is sent in any case.',
  ),
  REACTIONS_AT_ONCE: standard(integer(1, 1000), '64', 'Reactions of the process managers under way at once.'),
  ANCHOR_INTERVAL: standard(
    duration,
    '1h',
    'How often heads of audit logs become leaves of the [public tree](audit.md#the-public-tree); `0s` is never.',
  ),
  AUDIT_HEAD_INTERVAL: standard(
    duration,
    '10m',
    'How often heads of audit logs with new entries are [signed](audit.md#the-signed-head) unasked.',
  ),
  STATUS_PROBE_INTERVAL: standard(
    duration,
    '30s',
    'How often the service probes its own components, for the public status; `0s` is never.',
  ),
  STATUS_STREAMS_PER_ADDRESS: standard(
    integer(1, 10_000),
    '50',
    'Streams of the public status that one address may have open in one read-api.',
  ),
  SHUTDOWN_NOTICE: standard(
    duration,
    '0s',
    'How long a gateway or an API that was told to stop goes on serving, while its `/readyz` is 503 and each answer closes its connection: the time that a load balancer takes to send it nothing more.',
  ),
  SHUTDOWN_LIMIT: standard(
    duration,
    '20s',
    'How long a process may finish what it has begun after it was told to stop.',
  ),
  DRAIN_LIMIT: standard(
    duration,
    '0s',
    'How long a node that was told to stop lets its sessions end by themselves, and their states be saved. It takes no new ones; those that are left then fail.',
  ),
  READY_PEERS: optional(
    urls('http', 'https'),
    "Processes whose `/readyz` must answer 200 for the gateway's to; `npm start` fills it in.",
  ),
} as const;

import { logLevels } from '../../logging/levels.ts';
import {
  baseUrls,
  credential,
  duration,
  integer,
  oneOf,
  optional,
  pause,
  share,
  standard,
  url,
} from '../kinds.ts';

/** Operation. */
export const operation = {
  LOG_LEVEL: standard(
    oneOf(...logLevels),
    'info',
    'Minimum level of logged lines; `service log-level` changes it at run time.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    url('http', 'https'),
    'Base URL of an OpenTelemetry collector (OTLP over HTTP) for [traces](operations.md#traces); without it there is no tracing.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: optional(
    credential,
    'Headers for that collector, such as `api-key=…`; several are separated by commas.',
  ),
  OTEL_TRACES_SAMPLER_ARG: standard(
    share,
    '1',
    'Share of requests whose traces are exported. Traces with failures always are.',
  ),
  REACTIONS_AT_ONCE: standard(integer(1, 1000), '64', 'Maximum concurrent reactions of process managers.'),
  ANCHOR_INTERVAL: standard(
    duration,
    '1h',
    'Interval at which heads of audit logs are added to the [public tree](audit.md#the-public-tree); `0s`: never.',
  ),
  AUDIT_HEAD_INTERVAL: standard(
    pause('1s'),
    '10m',
    'Interval at which heads of audit logs with new entries are [signed](audit.md#the-signed-head) without a request.',
  ),
  STATUS_PROBE_INTERVAL: standard(
    pause('0s'),
    '30s',
    "Interval of probes of the service's components, for the public status; `0s`: never.",
  ),
  STATUS_STREAMS_PER_ADDRESS: standard(
    integer(1, 10_000),
    '50',
    'Maximum streams of the public status per client address (IPv6: per /64) in one read-api.',
  ),
  SHUTDOWN_NOTICE: standard(
    pause('0s'),
    '0s',
    'How long a gateway or an API keeps serving after a stop signal, while its `/readyz` answers 503 and each answer closes its connection: the time that a load balancer needs to stop sending requests.',
  ),
  SHUTDOWN_LIMIT: standard(
    pause('0s'),
    '20s',
    'How long a process may take to stop, after `SHUTDOWN_NOTICE`. Requests, turns and jobs in progress may take seven tenths of it; then they are given up.',
  ),
  DRAIN_LIMIT: standard(
    pause('0s'),
    '0s',
    'How long a node waits after a stop signal for its sessions to end and their states to be saved. No new ones are placed on it; the remaining ones then fail.',
  ),
  READY_PEERS: optional(
    baseUrls,
    "Processes whose `/readyz` must answer 200 before the gateway's does; set by `npm start`.",
  ),
} as const;

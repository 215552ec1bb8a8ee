/** A panel of a dashboard, with one line or several. */
export interface Panel {
  readonly title: string;
  readonly query: string;
  /** Legend of each line; labels are in `{{…}}`. */
  readonly legend: string;
  /** Grafana's name of the unit. */
  readonly unit: 's' | 'reqps' | 'short' | 'percentunit' | 'bytes' | 'cps';
}

const rate = (series: string, by: string) => `sum by (${by}) (rate(${series}[$__rate_interval]))`;
const quantile = (q: number, histogram: string, by: string, labels = '') =>
  `histogram_quantile(${q}, ${rate(`${histogram}_bucket${labels}`, ['le', by].filter((label) => label !== '').join(', '))})`;

const http = 'service_http_request_duration_seconds';

/** The metrics by dashboard. */
export const boards: Readonly<Record<string, readonly Panel[]>> = {
  Overview: [
    {
      title: 'Requests of clients',
      query: rate('service_gateway_requests_total', 'side, status'),
      legend: '{{side}} {{status}}',
      unit: 'reqps',
    },
    {
      title: 'Errors of the last hour, by objective',
      query: 'service:slo_errors:ratio_rate1h',
      legend: '{{slo}}',
      unit: 'percentunit',
    },
    {
      title: 'Errors of the last three days, by objective',
      query: 'service:slo_errors:ratio_rate3d',
      legend: '{{slo}}',
      unit: 'percentunit',
    },
    {
      title: 'Requests by route',
      query: `topk(15, ${rate(`${http}_count`, 'route')})`,
      legend: '{{route}}',
      unit: 'reqps',
    },
    {
      title: 'Duration of requests by route (95th percentile)',
      query: `topk(15, ${quantile(0.95, http, 'route')})`,
      legend: '{{route}}',
      unit: 's',
    },
    {
      title: 'Duration of creates (95th percentile)',
      query: quantile(0.95, http, '', '{route="sessions.create",status="201"}'),
      legend: 'create',
      unit: 's',
    },
    {
      title: 'Delay of the event loop (99th percentile)',
      query: 'service_nodejs_eventloop_lag_p99_seconds',
      legend: '{{role}} {{instance}}',
      unit: 's',
    },
    {
      title: 'CPU',
      query: rate('service_process_cpu_seconds_total', 'role'),
      legend: '{{role}}',
      unit: 'percentunit',
    },
    {
      title: 'Memory',
      query: 'service_process_resident_memory_bytes',
      legend: '{{role}} {{instance}}',
      unit: 'bytes',
    },
    {
      title: 'Probes of the service that failed',
      query: rate('service_probes_total{outcome="failed"}', 'component'),
      legend: '{{component}}',
      unit: 'cps',
    },
  ],
  'Record and processes': [
    {
      title: 'Read models behind the event log',
      query: 'max(service_projection_unapplied_seconds)',
      legend: 'oldest event not applied',
      unit: 's',
    },
    {
      title: 'Time from append until visible',
      query: 'max(service_projection_lag_seconds)',
      legend: 'last batch',
      unit: 's',
    },
    {
      title: 'Parked events',
      query: 'max by (projection) (service_parked_events)',
      legend: '{{projection}}',
      unit: 'short',
    },
    { title: 'Parked reactions', query: 'max(service_parked_reactions)', legend: 'reactions', unit: 'short' },
    {
      title: 'Read models of another release',
      query: 'max(service_outdated_read_models)',
      legend: 'tables',
      unit: 'short',
    },
    { title: 'Lead projector', query: 'max(service_projector_working)', legend: 'projector', unit: 'short' },
    {
      title: 'Lead process host',
      query: 'max(service_processes_working)',
      legend: 'process host',
      unit: 'short',
    },
    {
      title: 'Lead delivery worker',
      query: 'max(service_first_attempts_working)',
      legend: 'worker',
      unit: 'short',
    },
    {
      title: 'Queues',
      query: 'max by (queue, state) (service_queue_jobs)',
      legend: '{{queue}} {{state}}',
      unit: 'short',
    },
    {
      title: 'Positions that were not recorded',
      query: 'sum(service_unnoted_positions_total)',
      legend: 'positions',
      unit: 'short',
    },
    {
      title: 'Signing of audit logs',
      query: 'max(service_audit_signing_stopped)',
      legend: 'stopped',
      unit: 'short',
    },
  ],
  'Webhooks and mails': [
    {
      title: 'Attempts',
      query: rate('service_webhook_attempts_total', 'outcome, error'),
      legend: '{{outcome}} {{error}}',
      unit: 'cps',
    },
    {
      title: 'Time from event to first attempt (99th percentile)',
      query: quantile(0.99, 'service_webhook_first_attempt_wait_seconds', ''),
      legend: 'wait',
      unit: 's',
    },
    {
      title: 'Duration of attempts (95th percentile)',
      query: quantile(0.95, 'service_webhook_attempt_duration_seconds', 'outcome'),
      legend: '{{outcome}}',
      unit: 's',
    },
    {
      title: 'Events of deliveries',
      query: rate('service_webhook_deliveries_total', 'what'),
      legend: '{{what}}',
      unit: 'cps',
    },
    {
      title: 'Deliveries that wait',
      query: 'max by (state) (service_webhook_deliveries_waiting)',
      legend: '{{state}}',
      unit: 'short',
    },
    { title: 'Latest delivery', query: 'max(service_webhook_oldest_due_seconds)', legend: 'late', unit: 's' },
    {
      title: 'Latest endpoints',
      query: 'topk(10, max by (webhook) (service_webhook_endpoint_lag_seconds))',
      legend: '{{webhook}}',
      unit: 's',
    },
    {
      title: 'Endpoints that fail',
      query: 'topk(10, max by (webhook) (service_webhook_endpoint_failures))',
      legend: '{{webhook}}',
      unit: 'short',
    },
    {
      title: 'Secrets that cannot be opened',
      query: 'sum(service_webhook_unopenable_secrets_total)',
      legend: 'tries',
      unit: 'short',
    },
    { title: 'Mails', query: rate('service_mails_total', 'what'), legend: '{{what}}', unit: 'cps' },
    { title: 'Mails that wait', query: 'max(service_mails_waiting)', legend: 'mails', unit: 'short' },
  ],
  'Browsers and agents': [
    { title: 'Sessions', query: 'max by (status) (service_sessions)', legend: '{{status}}', unit: 'short' },
    { title: 'Browsers in use', query: 'service_node_sessions', legend: '{{instance}}', unit: 'short' },
    {
      title: 'Room for browsers',
      query: 'sum(service_node_capacity) - sum(service_node_sessions)',
      legend: 'free',
      unit: 'short',
    },
    {
      title: 'Saves of profiles',
      query: rate('service_profile_saves_total', 'outcome'),
      legend: '{{outcome}}',
      unit: 'cps',
    },
    {
      title: 'Duration of saves (95th percentile)',
      query: quantile(0.95, 'service_profile_save_duration_seconds', 'outcome'),
      legend: '{{outcome}}',
      unit: 's',
    },
    {
      title: 'Bytes saved of profiles',
      query: 'sum(rate(service_profile_saved_bytes_total[$__rate_interval]))',
      legend: 'bytes',
      unit: 'bytes',
    },
    {
      title: 'Turns of agent sessions',
      query: rate('service_agent_turns_total', 'end, decomposer'),
      legend: '{{end}} {{decomposer}}',
      unit: 'cps',
    },
    {
      title: 'Duration of turns (95th percentile)',
      query: quantile(0.95, 'service_agent_turn_duration_seconds', 'decomposer'),
      legend: '{{decomposer}}',
      unit: 's',
    },
    {
      title: 'Tokens',
      query: rate('service_agent_tokens_total', 'decomposer'),
      legend: '{{decomposer}}',
      unit: 'cps',
    },
    {
      title: 'Turns by their rounds',
      query: rate('service_agent_turn_rounds_total', 'rounds'),
      legend: '{{rounds}}',
      unit: 'cps',
    },
    {
      title: 'Turns that a limit ended',
      query: rate('service_agent_turn_limits_total', 'limit'),
      legend: '{{limit}}',
      unit: 'cps',
    },
    {
      title: 'Calls of tools',
      query: rate('service_mcp_calls_total', 'tool, outcome'),
      legend: '{{tool}} {{outcome}}',
      unit: 'cps',
    },
    {
      title: 'Duration of calls of tools (95th percentile)',
      query: quantile(0.95, 'service_mcp_call_duration_seconds', 'tool'),
      legend: '{{tool}}',
      unit: 's',
    },
    {
      title: 'Connections of clients of tools',
      query: 'sum(service_mcp_connections)',
      legend: 'open',
      unit: 'short',
    },
    {
      title: 'Streams of transcripts',
      query: 'sum(service_transcript_streams)',
      legend: 'open',
      unit: 'short',
    },
  ],
  Money: [
    {
      title: 'Callbacks of the card processor',
      query: rate('service_card_callbacks_total', 'outcome'),
      legend: '{{outcome}}',
      unit: 'cps',
    },
    {
      title: 'Crypto orders',
      query: rate('service_crypto_orders_total', 'outcome'),
      legend: '{{outcome}}',
      unit: 'cps',
    },
    {
      title: 'Duration of payments (95th percentile)',
      query: quantile(0.95, 'service_crypto_order_duration_seconds', ''),
      legend: 'from first sight to paid',
      unit: 's',
    },
    {
      title: 'Payments to review',
      query: 'sum by (reason) (service_crypto_reviews_total)',
      legend: '{{reason}}',
      unit: 'short',
    },
  ],
};

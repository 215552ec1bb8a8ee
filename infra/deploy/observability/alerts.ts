/** An alert on a broken promise of the service, or on a failed dependency. */
export interface Alert {
  /** Also the heading of its paragraph in `docs/incidents.md`. */
  readonly name: string;
  readonly expr: string;
  /** How long the expression must hold. */
  readonly for: string;
  readonly severity: 'page' | 'ticket';
  readonly summary: string;
  /** Series, in the notation of `promtool test rules`, for which it fires, and for which it does not. */
  readonly firing: Series;
  readonly quiet: Series;
}

export type Series = Readonly<Record<string, string>>;

const grew = (series: string, within: string) => `sum(increase(${series}[${within}])) > 0`;
const sentMails = 'service_mails_total{what="sent"}';
const failedMails = 'service_mails_total{what="attempt_failed"}';
/** True if many attempts failed and none succeeded. The waits between the attempts of a mail grow: a few mails fail slowly. */
const onlyFailedMails = (within: string) =>
  `(sum(increase(${failedMails}[${within}])) >= 20 unless ${grew(sentMails, within)})`;
/** True if no process does the work of which one should, or if there are no processes. */
const nobody = (gauge: string) => `(max(${gauge}) or vector(0)) < 1`;

const steady = '1+0x120';
const none = '0+0x120';
/** Grows once, by one. */
const once = '0+0x60 1+0x60';

export const alerts: readonly Alert[] = [
  {
    name: 'ProcessDown',
    expr: 'up{job="service"} == 0',
    for: '2m',
    severity: 'page',
    summary: '{{ $labels.instance }} does not answer.',
    firing: { 'up{job="service",instance="a"}': none },
    quiet: { 'up{job="service",instance="a"}': steady },
  },
  {
    name: 'NoProjector',
    expr: nobody('service_projector_working'),
    for: '2m',
    severity: 'page',
    summary: 'No projector is running: read models are not updated.',
    firing: { 'service_projector_working{instance="a"}': none },
    quiet: {
      'service_projector_working{instance="a"}': none,
      'service_projector_working{instance="b"}': steady,
    },
  },
  {
    name: 'NoProcessHost',
    expr: nobody('service_processes_working'),
    for: '2m',
    severity: 'page',
    summary: 'No host of process managers is running: reactions and timers do not run.',
    firing: { service_something: steady },
    quiet: { service_processes_working: steady },
  },
  {
    name: 'NoFirstAttempts',
    expr: nobody('service_first_attempts_working'),
    for: '2m',
    severity: 'page',
    summary: 'No worker makes first attempts: webhooks wait.',
    firing: { service_first_attempts_working: none },
    quiet: { service_first_attempts_working: steady },
  },
  {
    name: 'EventsParked',
    expr: 'max by (projection) (service_parked_events) > 0',
    for: '1m',
    severity: 'page',
    summary:
      'The read model {{ $labels.projection }} could not apply an event, and later events of the same row wait.',
    firing: { 'service_parked_events{projection="sessions"}': steady },
    quiet: { 'service_parked_events{projection="sessions"}': none },
  },
  {
    name: 'ReactionsParked',
    expr: 'max(service_parked_reactions) > 0',
    for: '15m',
    severity: 'ticket',
    summary: 'Reactions to events keep failing, and wait for their next retry.',
    firing: { service_parked_reactions: steady },
    quiet: { service_parked_reactions: '0+0x50 1+0x5 0+0x60' },
  },
  {
    name: 'ReadModelsOutdated',
    expr: 'max(service_outdated_read_models) > 0',
    for: '1h',
    severity: 'ticket',
    summary: 'Read models of an earlier release are still served.',
    firing: { service_outdated_read_models: steady },
    quiet: { service_outdated_read_models: '1+0x30 0+0x90' },
  },
  {
    name: 'InternalErrors',
    expr: grew('service_gateway_requests_total{status="500"}', '15m'),
    for: '0m',
    severity: 'ticket',
    summary: 'A request was answered with 500 because of an unexpected error.',
    firing: { 'service_gateway_requests_total{status="500"}': '0+0x110 1+0x10' },
    quiet: { 'service_gateway_requests_total{status="503"}': '0+1x120' },
  },
  {
    name: 'DeliveriesOverdue',
    expr: 'max(service_webhook_deliveries_waiting{state="overdue"}) > 0',
    for: '10m',
    severity: 'ticket',
    summary: 'Deliveries are more than a minute late.',
    firing: { 'service_webhook_deliveries_waiting{state="overdue"}': steady },
    quiet: { 'service_webhook_deliveries_waiting{state="open"}': steady },
  },
  {
    name: 'WebhookSecretsUnopenable',
    expr: grew('service_webhook_unopenable_secrets_total', '15m'),
    for: '0m',
    severity: 'page',
    summary: 'Secrets of endpoints cannot be opened: MASTER_KEY or the vault has changed.',
    firing: { service_webhook_unopenable_secrets_total: '0+0x110 1+0x10' },
    quiet: { service_webhook_unopenable_secrets_total: once },
  },
  {
    name: 'QueueAway',
    expr: 'absent(service_queue_jobs)',
    for: '5m',
    severity: 'ticket',
    summary:
      'No worker can reach the queue: timers, later attempts and mails are left to the sweeps and are late.',
    firing: { service_something: steady },
    quiet: { 'service_queue_jobs{queue="mail",state="waiting"}': none },
  },
  {
    name: 'MailsWaiting',
    expr: 'max(service_mails_overdue) > 0',
    for: '5m',
    severity: 'ticket',
    summary: 'Mails have been due for an hour.',
    firing: { service_mails_overdue: '3+0x120' },
    quiet: { service_mails_overdue: none, service_mails_waiting: '3+0x120' },
  },
  {
    name: 'MailsFail',
    expr: ['1h', '1d'].map(onlyFailedMails).join(' or '),
    for: '0m',
    severity: 'ticket',
    summary: 'The mail server accepts no mails.',
    firing: { [failedMails]: '0+1x120', [sentMails]: none },
    quiet: { [failedMails]: '0+1x120', [sentMails]: '0+1x120' },
  },
  {
    name: 'TurnsAbandoned',
    expr: grew('service_agent_turns_total{end="abandoned"}', '15m'),
    for: '0m',
    severity: 'ticket',
    summary: 'Turns of agent sessions were abandoned because their process died.',
    firing: { 'service_agent_turns_total{end="abandoned"}': '0+0x110 1+0x10' },
    quiet: { 'service_agent_turns_total{end="failed"}': '0+1x120' },
  },
  {
    name: 'ModelKeyRefused',
    expr: grew('service_model_key_refusals_total', '15m'),
    for: '0m',
    severity: 'page',
    summary: 'The model provider does not accept LLM_API_KEY: turns on the bundled model fail.',
    firing: { service_model_key_refusals_total: '0+0x110 1+0x10' },
    quiet: { service_model_key_refusals_total: once },
  },
  {
    name: 'SavesFail',
    expr: grew('service_profile_saves_total{outcome=~"upload_failed|seal_failed"}', '15m'),
    for: '0m',
    severity: 'page',
    summary: 'States of profiles are not saved: the changes of their sessions are lost.',
    firing: { 'service_profile_saves_total{outcome="seal_failed"}': '0+0x110 1+0x10' },
    quiet: { 'service_profile_saves_total{outcome="saved"}': '0+1x120' },
  },
  {
    name: 'NoRoomForSessions',
    expr: 'sum(service_node_capacity) - sum(service_node_sessions) < 1',
    for: '5m',
    severity: 'ticket',
    summary: 'Every node is full or drains: creates are refused.',
    firing: {
      'service_node_capacity{instance="a"}': '4+0x120',
      'service_node_sessions{instance="a"}': '4+0x120',
    },
    quiet: {
      'service_node_capacity{instance="a"}': '4+0x120',
      'service_node_sessions{instance="a"}': '3+0x120',
    },
  },
  {
    name: 'PositionsUnnoted',
    expr: 'sum(delta(service_unnoted_positions_total[15m])) > 0',
    for: '0m',
    severity: 'ticket',
    summary: 'Reads may lack what their callers have just written.',
    firing: { service_unnoted_positions_total: '0+0x110 1+0x10' },
    quiet: { service_unnoted_positions_total: steady },
  },
  {
    name: 'AuditSigningStopped',
    expr: 'max(service_audit_signing_stopped) > 0',
    for: '5m',
    severity: 'page',
    summary:
      'Heads of audit logs are no longer signed: the log contradicts signed heads, or the public head cannot be read.',
    firing: { service_audit_signing_stopped: steady },
    quiet: { service_audit_signing_stopped: none },
  },
  {
    name: 'ProbesFail',
    expr: 'sum by (component) (increase(service_probes_total{outcome="failed"}[10m])) >= 5',
    for: '0m',
    severity: 'page',
    summary: 'The service’s own probes of {{ $labels.component }} fail; the status page shows it.',
    firing: { 'service_probes_total{component="api",outcome="failed"}': '0+0x100 0+1x20' },
    quiet: { 'service_probes_total{component="api",outcome="failed"}': once },
  },
  {
    name: 'MoneyToReview',
    expr: grew('service_crypto_reviews_total', '1h'),
    for: '0m',
    severity: 'ticket',
    summary: 'A person has to review payments: {{ $value | printf "%.0f" }} findings.',
    firing: { 'service_crypto_reviews_total{reason="late"}': '0+0x110 1+0x10' },
    quiet: { 'service_crypto_orders_total{outcome="paid"}': '0+1x120' },
  },
  {
    name: 'CertificateEnds',
    expr: 'service_certificate_expiry_timestamp_seconds - time() < 14 * 86400',
    for: '0m',
    severity: 'ticket',
    summary:
      'The certificate of {{ $labels.role }} on {{ $labels.instance }} for other processes ends in {{ $value | humanizeDuration }}.',
    firing: { 'service_certificate_expiry_timestamp_seconds{role="node",instance="a"}': '1200000+0x120' },
    quiet: { 'service_certificate_expiry_timestamp_seconds{role="node",instance="a"}': '1300000+0x120' },
  },
  {
    name: 'EventLoopBlocked',
    expr: 'service_nodejs_eventloop_lag_p99_seconds > 0.5',
    for: '10m',
    severity: 'ticket',
    summary: '{{ $labels.role }} on {{ $labels.instance }} is overloaded: its event loop is delayed.',
    firing: { 'service_nodejs_eventloop_lag_p99_seconds{role="worker",instance="a"}': '0.8+0x120' },
    quiet: { 'service_nodejs_eventloop_lag_p99_seconds{role="worker",instance="a"}': '0.06+0x120' },
  },
];

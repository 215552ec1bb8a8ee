/** An objective for the ratio of good events, and how they are counted. */
export interface Slo {
  readonly name: string;
  readonly title: string;
  /** A ratio from 0 to 1. */
  readonly objective: number;
  /** PromQL over a window such as `5m`. */
  readonly bad: (window: string) => string;
  readonly total: (window: string) => string;
  /** Minimal number of events in the long window of an alert. Null if time is counted, which never runs short. */
  readonly floor: number | null;
}

const rate = (series: string, window: string) => `sum(rate(${series}[${window}]))`;
/** A series without events does not exist yet, and counts as 0. */
const rateOrNone = (series: string, window: string) => `(${rate(series, window)} or vector(0))`;

/** Matches a bucket by its bound: since version 3, Prometheus names the one of 30 seconds 30.0. */
const upTo = (seconds: string) => (seconds.includes('.') ? `le="${seconds}"` : `le=~"${seconds}([.]0)?"`);

/** Rate of a histogram's events that took longer than a bound, which must be one of its buckets. */
const slower = (histogram: string, labels: string, seconds: string) => (window: string) =>
  `(${rate(`${histogram}_count{${labels}}`, window)} - ${rate(
    `${histogram}_bucket{${[labels, upTo(seconds)].filter((label) => label !== '').join(',')}}`,
    window,
  )})`;

const created = 'route="sessions.create",status="201"';
const requests = 'service_http_request_duration_seconds';
const firstAttempts = 'service_webhook_first_attempt_wait_seconds';
export const behindSeconds = 5;

export const slos: readonly Slo[] = [
  {
    name: 'availability',
    title: 'Requests with a complete answer other than 500 and 503',
    objective: 0.999,
    bad: (window) => rateOrNone('service_gateway_requests_total{status=~"500|503|broken"}', window),
    total: (window) => rate('service_gateway_requests_total{status!="heartbeat"}', window),
    floor: 50,
  },
  {
    name: 'create',
    title: 'Sessions that are created within 2.5 seconds',
    objective: 0.95,
    bad: slower(requests, created, '2.5'),
    total: (window) => rate(`${requests}_count{${created}}`, window),
    floor: 20,
  },
  {
    name: 'turns',
    title: 'Turns of agent sessions that neither fail because of the service nor are abandoned',
    objective: 0.99,
    bad: (window) => rateOrNone('service_agent_turns_total{end=~"failed|abandoned"}', window),
    total: (window) => rate('service_agent_turns_total{end!="refused"}', window),
    floor: 20,
  },
  {
    name: 'first_delivery',
    title: 'Events whose first delivery to an endpoint is tried within 30 seconds',
    objective: 0.999,
    bad: slower(firstAttempts, '', '30'),
    total: (window) => rate(`${firstAttempts}_count`, window),
    floor: 50,
  },
  {
    name: 'projection',
    title: `Time in which read models are at most ${behindSeconds} seconds behind the event log`,
    objective: 0.999,
    bad: (window) => `avg_over_time(service:projection_behind:bool[${window}])`,
    total: () => 'vector(1)',
    floor: null,
  },
];

/** An alert on fast use of the error budget, in both a long and a short window. */
export interface Burn {
  readonly alert: string;
  readonly times: number;
  readonly long: string;
  readonly short: string;
  readonly severity: 'page' | 'ticket';
  readonly spends: string;
}

export const burns: readonly Burn[] = [
  {
    alert: 'BudgetBurnsFast',
    times: 14.4,
    long: '1h',
    short: '5m',
    severity: 'page',
    spends: '2 % in an hour',
  },
  { alert: 'BudgetBurns', times: 6, long: '6h', short: '30m', severity: 'page', spends: '5 % in six hours' },
  {
    alert: 'BudgetIsSpent',
    times: 1,
    long: '3d',
    short: '6h',
    severity: 'ticket',
    spends: '10 % in three days',
  },
];

export const windows: readonly string[] = [...new Set(burns.flatMap(({ long, short }) => [short, long]))];

import type pg from 'pg';
import type { AttemptSeen } from '../../../commands/webhook-delivery/index.ts';
import { countParked } from '../../../projections/engine/parking.ts';
import { live, loadCheckpoint } from '../../../projections/engine/checkpoint.ts';
import type { ProjectorObserver } from '../../../projections/index.ts';
import { countMailsOverdue, countMailsWaiting } from '../../../projections/queries/mail.ts';
import { countLiveSessions } from '../../../projections/queries/session.ts';
import { latestEndpoints, waitingDeliveries } from '../../../projections/queries/webhook-delivery.ts';
import { failingEndpoints } from '../../../projections/queries/webhook-endpoint.ts';
import type { RecordedEvent } from '../../event-store/client/index.ts';
import type { Metrics } from '../../metrics/index.ts';
import type { WakeUps } from '../../queue/types.ts';
import { agentMetrics } from './agent-metrics.ts';
import { orderMetrics } from './order-metrics.ts';
import { saveMetrics } from './save-metrics.ts';

/** For the process that makes the attempts. */
export function attemptMetrics(metrics: Metrics): (seen: AttemptSeen) => void {
  const attempts = metrics.counter(
    'service_webhook_attempts_total',
    'Attempts, by outcome and by error or class of the status',
    'outcome',
    'error',
  );
  const durations = metrics.durations(
    'service_webhook_attempt_duration_seconds',
    'Duration of attempts, including the look-up of the address',
    'outcome',
  );
  const waits = metrics.durations(
    'service_webhook_first_attempt_wait_seconds',
    'Time from an event until the first attempt to deliver it to an endpoint',
  );
  return ({ outcome, error, responseStatus, milliseconds, sinceEventMs }) => {
    attempts({ outcome, error: outcome === 'succeeded' ? 'none' : (error ?? statusClass(responseStatus)) });
    durations({ outcome }, milliseconds);
    if (sinceEventMs !== null) waits({}, sinceEventMs);
  };
}

/** For the same process: failures that only an operator can fix. */
export function unopenableSecretsMetric(metrics: Metrics): () => void {
  const failures = metrics.counter(
    'service_webhook_unopenable_secrets_total',
    'Failed tries to open the secrets of an endpoint, whose deliveries wait',
  );
  return () => failures({});
}

const statusClass = (status: number | null): string =>
  status === null || status >= 600 ? 'status_other' : `status_${Math.trunc(status / 100)}xx`;

/** Events of deliveries, mails and the controls of browsers, as counted. */
const happenings: Readonly<
  Record<string, { readonly to: 'delivery' | 'mail' | 'takeover'; readonly what: string }>
> = {
  DeliveryScheduled: { to: 'delivery', what: 'scheduled' },
  DeliverySucceeded: { to: 'delivery', what: 'delivered' },
  DeliveryDeadLettered: { to: 'delivery', what: 'dead_lettered' },
  DeliveryCancelled: { to: 'delivery', what: 'cancelled' },
  DeliveryRequeued: { to: 'delivery', what: 'requeued' },
  MailQueued: { to: 'mail', what: 'queued' },
  MailSent: { to: 'mail', what: 'sent' },
  MailAttemptFailed: { to: 'mail', what: 'attempt_failed' },
  MailAbandoned: { to: 'mail', what: 'abandoned' },
  MailDeclined: { to: 'mail', what: 'declined' },
  TakeoverRequested: { to: 'takeover', what: 'asked' },
  TakeoverGranted: { to: 'takeover', what: 'granted' },
  TakeoverExpired: { to: 'takeover', what: 'lapsed' },
  HandbackRequested: { to: 'takeover', what: 'given_back' },
  PairModeTimedOut: { to: 'takeover', what: 'lost' },
};

/** For the projector: counts each event once, as it is applied. */
function happeningMetrics(metrics: Metrics): (event: Pick<RecordedEvent, 'type'>) => void {
  const counters = {
    delivery: metrics.counter('service_webhook_deliveries_total', 'Events of deliveries, by kind', 'what'),
    mail: metrics.counter('service_mails_total', 'Events of mails, by kind', 'what'),
    takeover: metrics.counter(
      'service_takeovers_total',
      'Events of the control of browsers, by kind',
      'what',
    ),
  };
  // An alert compares the two, and has to notice the first of each.
  for (const what of ['sent', 'attempt_failed']) counters.mail({ what }, 0);
  return ({ type }) => {
    const happening = happenings[type];
    if (happening !== undefined) counters[happening.to]({ what: happening.what });
  };
}

/** A series for each of the worst endpoints, never for all. */
const WORST = 20;

/** Gauges of webhooks and mails, counted in the database when scraped. */
export function backlogGauges(metrics: Metrics, pool: pg.Pool): void {
  metrics.gauge(
    'service_webhook_deliveries_waiting',
    'Deliveries that wait for an attempt: all of them, and those more than a minute late',
    async () => {
      const { open, overdue } = await waitingDeliveries(pool);
      return { open, overdue };
    },
    'state',
  );
  metrics.gauge(
    'service_webhook_oldest_due_seconds',
    'Time since the delivery that waits longest was due',
    async () => (await waitingDeliveries(pool)).oldestDueSeconds,
  );
  metrics.gauge(
    'service_webhook_endpoint_lag_seconds',
    `Time since the oldest delivery of an endpoint was due; the ${WORST} latest endpoints`,
    async () => byEndpoint(await latestEndpoints(pool, WORST), ({ seconds }) => seconds),
    'webhook',
  );
  metrics.gauge(
    'service_webhook_endpoint_failures',
    `Failed attempts in a row; the ${WORST} endpoints with the most`,
    async () =>
      byEndpoint(await failingEndpoints(pool, WORST), ({ consecutive_failures }) => consecutive_failures),
    'webhook',
  );
  metrics.gauge('service_mails_waiting', 'Mails that are not sent yet', () => countMailsWaiting(pool));
  metrics.gauge('service_mails_overdue', 'Mails that have been due for more than an hour', () =>
    countMailsOverdue(pool),
  );
}

const byEndpoint = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  value: (row: Row) => number,
): Readonly<Record<string, number>> => Object.fromEntries(rows.map((row) => [row.id, value(row)]));

/** Jobs in the queues, by BullMQ's states; left out if a queue is unreachable. */
export function queueGauge(metrics: Metrics, queues: Readonly<Record<string, WakeUps>>): void {
  const read = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(queues).map(async ([name, queue]) => [name, await queue.counts()] as const),
      ),
    );
  metrics.gauge('service_queue_jobs', 'Jobs in the queues', read, 'queue', 'state');
}

/** Gauges of the read models, counted in the database when scraped. */
export function projectionGauges(metrics: Metrics, pool: pg.Pool) {
  let lagMs = 0;
  const counts = [
    happeningMetrics(metrics),
    saveMetrics(metrics),
    agentMetrics(metrics),
    orderMetrics(metrics),
  ];
  const observer: ProjectorObserver = {
    applied: (batch) => {
      lagMs = batch.lagMs;
      for (const event of batch.happened) for (const count of counts) count(event);
    },
  };
  metrics.gauge(
    'service_parked_events',
    'Events that a read model could not apply, by projection',
    async () => Object.fromEntries(await countParked(pool)),
    'projection',
  );
  metrics.gauge(
    'service_outdated_read_models',
    'Read models of another version, served until this one is built',
    async () => (await loadCheckpoint(pool, live)).outdated.size,
  );
  metrics.gauge('service_sessions', 'Live sessions by status', () => countLiveSessions(pool), 'status');
  return { observer, lag: () => lagMs / 1000 };
}

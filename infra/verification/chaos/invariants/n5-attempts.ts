import type { ReceivedMessage } from '../../testbed/index.ts';
import { byStream, field, grouped, type Evidence, type LogEvent } from '../evidence/index.ts';
import { deliveriesOf, webhooksOf, type Delivery } from '../evidence/webhooks.ts';
import type { Invariant, Violation } from './invariant.ts';

/** From the contract: one attempt, and five retries. */
const MOST_ATTEMPTS = 6;

/** Maximal delay between the sending of a message and its recording by a receiver, in milliseconds. */
const LATE_MS = 400;

export const attemptsAreDue: Invariant = {
  id: 'N5, attempts',
  holds:
    'No attempt is made before its time, none after the last, and no more than six in a round; every mail to an owner is sent once its time comes.',
  judged:
    'the times in the raw delivery streams; between an attempt that is recorded and the next one’s time, the receivers’ own clock; the raw mail streams and what the mail server took',
  violations: (evidence) => {
    const { endpoints } = webhooksOf(evidence.log);
    const paths = new Map([...endpoints.values()].map(({ id, path }) => [id, path]));
    const came = grouped(evidence.messages, ({ path, id }) => `${path} ${id}`);
    const deliveries = deliveriesOf(evidence.log);
    const pairs = grouped(
      deliveries,
      ({ scheduled }) => `${paths.get(field(scheduled, 'webhookId'))} ${field(scheduled, 'eventId')}`,
    );
    return [
      ...deliveries.flatMap((delivery) => inTheLog(evidence, delivery)),
      ...[...pairs].flatMap(([place, same]) => tooSoon(evidence, same, came.get(place) ?? [])),
      ...mails(evidence),
    ];
  },
};

const isOutcome = ({ type }: LogEvent): boolean =>
  type === 'DeliverySucceeded' || type === 'DeliveryAttemptFailed';

/** Attempts by the service's clock, which stamped both times. Only a clock that was moved back shows an earlier one. */
function inTheLog({ clockJumps }: Evidence, { stream, events }: Delivery): Violation[] {
  const found: Violation[] = [];
  let [due, round] = ['', 0];
  for (const event of events) {
    if (event.type === 'DeliveryScheduled' || event.type === 'DeliveryRequeued') {
      [due, round] = [field(event, 'dueAt'), 0];
    }
    if (!isOutcome(event)) continue;
    round += 1;
    const startedAt = field(event, 'startedAt');
    if (startedAt < due && !clockJumps.some(({ ms }) => ms < 0))
      found.push({ what: `an attempt began at ${startedAt}, before its time ${due}`, stream });
    if (round > MOST_ATTEMPTS) found.push({ what: `a round of ${round} attempts`, stream });
    due = field(event, 'nextAttemptAt');
  }
  return found;
}

/**
 * Between a recorded attempt and shortly before the next one is due, receivers must get nothing. Checked for events
 * that were sent once.
 */
function tooSoon(
  { clockJumps }: Evidence,
  [delivery, ...others]: readonly Delivery[],
  messages: readonly ReceivedMessage[],
): Violation[] {
  if (delivery === undefined || others.length > 0 || clockJumps.length > 0) return [];
  const pauses = delivery.events.filter(isOutcome).map((event) => ({
    from: Date.parse(field(event, 'at')) + LATE_MS,
    to: Date.parse(field(event, 'nextAttemptAt')) || Infinity,
    isAnswered: event.data.responseStatus !== null,
  }));
  const sooner = messages.filter(({ at, answered }) =>
    pauses.some(({ from, to, isAnswered }) => isAnswered && answered !== undefined && from < at && at < to),
  );
  return sooner.map(({ at, id }) => ({
    what: `${id} came at ${new Date(at).toISOString()}, between its attempts`,
    stream: delivery.stream,
  }));
}

/** Each attempt has an outcome. The server has accepted a mail once, or twice if its answer was lost. */
function mails({ log, mails: took }: Evidence): Violation[] {
  const streams = [...byStream(log, 'mail')];
  const sent = streams.filter(([, events]) => events.some(({ type }) => type === 'MailSent')).length;
  return [
    ...streams
      .filter(([, events]) => !events.some(({ type }) => type === 'MailSent' || type === 'MailAbandoned'))
      .map(([stream]) => ({ what: 'a mail was neither sent nor given up', stream })),
    ...(sent > took.length ? [{ what: `${sent} mails are sent, and ${took.length} were taken` }] : []),
  ];
}

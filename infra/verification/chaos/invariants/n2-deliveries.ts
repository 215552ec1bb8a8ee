import { field, grouped, type Evidence } from '../evidence/index.ts';
import { deliveriesOf, webhooksOf, type Delivery, type Wanted, type Webhooks } from '../evidence/webhooks.ts';
import type { Invariant, Violation } from './invariant.ts';

export const everyoneIsNotified: Invariant = {
  id: 'N2',
  holds:
    'Each announced event, for each endpoint that was subscribed and active at its place in the log, ends in exactly one of delivered, dead letter and cancelled; nothing is sent to anybody else; what is delivered was taken.',
  judged:
    'who was subscribed, worked out from the raw log, against the raw delivery streams and what the receivers wrote down',
  violations: (evidence) => {
    const webhooks = webhooksOf(evidence.log);
    const deliveries = deliveriesOf(evidence.log);
    return [
      ...sentToSubscribers(webhooks, deliveries),
      ...replayed(evidence, webhooks, deliveries),
      ...deliveries.flatMap((delivery) => ended(webhooks, delivery)),
      ...taken(evidence, webhooks, deliveries),
    ];
  },
};

const pairOf = ({ webhook, announcement }: Wanted): string => `${announcement.id} to ${webhook}`;
const madePair = ({ scheduled }: Delivery): string =>
  `${field(scheduled, 'eventId')} to ${field(scheduled, 'webhookId')}`;

/** Each expected pair has exactly one delivery, and there are no others. */
function exactly(wanted: readonly Wanted[], made: readonly Delivery[], why: string): Violation[] {
  const byPair = grouped(made, madePair);
  const meant = new Set(wanted.map(pairOf));
  return [
    ...[...meant].flatMap((pair) => {
      const count = byPair.get(pair)?.length ?? 0;
      return count === 1 ? [] : [{ what: `${pair} has ${count} deliveries ${why}` }];
    }),
    ...made
      .filter((delivery) => !meant.has(madePair(delivery)))
      .map((delivery) => ({
        what: `${madePair(delivery)} is sent ${why}, and was not to be`,
        stream: delivery.stream,
      })),
  ];
}

const sentToSubscribers = ({ wanted }: Webhooks, deliveries: readonly Delivery[]): Violation[] =>
  exactly(
    wanted,
    deliveries.filter(({ scheduled }) => field(scheduled, 'trigger') !== 'replay'),
    'for the event',
  );

/** All events of a range are sent, unless its endpoint was deleted before. */
function replayed({ log }: Evidence, { replays }: Webhooks, deliveries: readonly Delivery[]): Violation[] {
  return replays.flatMap(({ requested, wanted }) => {
    const { stream } = requested;
    const id = field(requested, 'replayId');
    const last = log.findLast((event) => event.stream === stream && field(event, 'replayId') === id)?.type;
    if (last === 'ReplayAbandoned') return [];
    if (last !== 'ReplayCompleted') return [{ what: `the replay is not over`, stream }];
    const made = deliveries.filter(({ scheduled }) => field(scheduled, 'replayId') === id);
    return exactly(wanted, made, `in ${id}`);
  });
}

const ends = ['DeliverySucceeded', 'DeliveryDeadLettered', 'DeliveryCancelled'];

function ended({ endpoints }: Webhooks, { stream, scheduled, events }: Delivery): Violation[] {
  const over = events.filter(({ type }) => ends.includes(type)).map(({ type }) => type);
  // An attempt that was in flight when its delivery was cancelled may still succeed.
  const isLate = over[0] === 'DeliveryCancelled' && over[1] === 'DeliverySucceeded';
  const count = isLate ? over.length - 1 : over.length;
  const isCancelled = events.some(({ type }) => type === 'DeliveryCancelled');
  const isActive = endpoints.get(field(scheduled, 'webhookId'))?.isActive === true;
  return [
    ...(count === 1 ? [] : [{ what: `a delivery ended ${count} times`, stream }]),
    ...(isCancelled && isActive ? [{ what: 'a delivery to an active endpoint was cancelled', stream }] : []),
  ];
}

/** Accepted messages equal those in the log, and delivered ones were accepted. */
function taken({ messages }: Evidence, webhooks: Webhooks, deliveries: readonly Delivery[]): Violation[] {
  const paths = new Map([...webhooks.endpoints.values()].map(({ id, path }) => [id, path]));
  const placeOf = ({ scheduled }: Delivery): string =>
    `${paths.get(field(scheduled, 'webhookId'))} ${field(scheduled, 'eventId')}`;
  const sent = grouped(deliveries, placeOf);
  const came = grouped(messages, ({ path, id }) => `${path} ${id}`);
  return [
    ...messages.flatMap((message) => {
      const same = sent.get(`${message.path} ${message.id}`) ?? [];
      if (same.length === 0) return [{ what: `${message.path} was sent ${message.id} out of nowhere` }];
      const isIt = same.some(({ scheduled }) => field(scheduled, 'body') === message.body);
      const announced = webhooks.announcements.get(message.id);
      const isTrue =
        announced?.type === message.type && says(message.body, announced.id, field(announced.cause, 'at'));
      return isIt && isTrue ? [] : [{ what: `${message.id} came with another body: ${message.body}` }];
    }),
    ...deliveries.flatMap((delivery) => {
      if (!delivery.events.some(({ type }) => type === 'DeliverySucceeded')) return [];
      const isTaken = came.get(placeOf(delivery))?.some(({ answered = 0 }) => isSuccess(answered)) === true;
      return isTaken ? [] : [{ what: 'what is delivered was taken by nobody', stream: delivery.stream }];
    }),
  ];
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

function says(body: string, id: string, at: string): boolean {
  const envelope = JSON.parse(body) as Readonly<Record<string, unknown>>;
  return envelope.id === id && envelope.created_at === at;
}

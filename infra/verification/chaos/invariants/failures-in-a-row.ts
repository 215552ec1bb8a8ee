import { byStream, field, type Evidence, type LogEvent } from '../evidence/index.ts';
import { webhooksOf, type Endpoint } from '../evidence/webhooks.ts';
import { DISABLE_AFTER } from '../world/index.ts';
import type { Invariant } from './invariant.ts';
import { byOurClock, mayHaveMissedChanges } from './uncertainty.ts';

/**
 * Milliseconds after an endpoint is disabled in which attempts are possible: the cache lives for a second, and an
 * attempt takes up to another.
 */
const IN_FLIGHT_MS = 4_000;

export const failuresAreCounted: Invariant = {
  id: 'failures in a row',
  holds:
    'An endpoint is disabled by the attempt that makes its failures in a row too many, once, and nothing is sent to it any more.',
  judged:
    'a count of the outcomes in the raw delivery streams, in the order of the log, against what the raw endpoint streams say; what the receivers took afterwards',
  violations: (evidence) => {
    const counts = countedByHand(evidence.log);
    const { endpoints } = webhooksOf(evidence.log);
    return [...byStream(evidence.log, 'webhook_endpoint')].flatMap(([stream, events]) => {
      const endpoint = endpoints.get(`whk_${stream.slice('webhook_endpoint-'.length)}`);
      if (endpoint === undefined) return [];
      const expected = counts.get(endpoint.id) ?? [];
      return [
        ...counted(events, expected),
        ...disabled(events, expected),
        ...sentAfterwards(evidence, endpoint, events),
      ].map((what) => ({ what, stream }));
    });
  },
};

interface Counted {
  /** Position of the outcome in the log. */
  readonly position: string;
  readonly consecutive: number;
}

/** Each failed delivery of each endpoint with the number of failures in a row, up to the one that disables it. */
function countedByHand(log: readonly LogEvent[]): ReadonlyMap<string, readonly Counted[]> {
  const counts = new Map<string, Counted[]>();
  const inARow = new Map<string, number>();
  for (const event of log) {
    const [webhook, position] = [field(event, 'webhookId'), String(event.position)];
    const consecutive = inARow.get(webhook) ?? 0;
    if (consecutive >= DISABLE_AFTER) continue;
    if (event.type === 'DeliverySucceeded') inARow.set(webhook, 0);
    if (event.type !== 'DeliveryAttemptFailed') continue;
    inARow.set(webhook, consecutive + 1);
    counts.set(webhook, [...(counts.get(webhook) ?? []), { position, consecutive: consecutive + 1 }]);
  }
  return counts;
}

const has = (events: readonly LogEvent[], wanted: string): boolean =>
  events.some(({ type }) => type === wanted);

/** Counting ends when the endpoint is deleted, regardless of the outcomes' positions. */
function counted(events: readonly LogEvent[], expected: readonly Counted[]): string[] {
  const found = events
    .filter(({ type }) => type === 'WebhookFailureCounted')
    .map(({ data }) => `${String(data.consecutive)} at ${String(data.position)}`);
  const wanted = expected.map(({ consecutive, position }) => `${consecutive} at ${position}`);
  const due = has(events, 'WebhookDeleted') ? wanted.slice(0, found.length) : wanted;
  const wrong = due.findIndex((each, index) => each !== found[index]);
  if (wrong < 0 && found.length === due.length) return [];
  const place = wrong < 0 ? due.length : wrong;
  return [`its failure ${place + 1} is counted ${found[place] ?? 'nowhere'}, by hand ${due[place] ?? 'not'}`];
}

function disabled(events: readonly LogEvent[], expected: readonly Counted[]): string[] {
  const count = events.filter(({ type }) => type === 'WebhookDisabled').length;
  const isDue = expected.at(-1)?.consecutive === DISABLE_AFTER;
  if (count === (isDue ? 1 : 0) || (isDue && count === 0 && has(events, 'WebhookDeleted'))) return [];
  return [`it was disabled ${count} times, with ${expected.at(-1)?.consecutive ?? 0} failures in a row`];
}

function sentAfterwards(evidence: Evidence, { path }: Endpoint, events: readonly LogEvent[]): string[] {
  const end = events.find(({ type }) => type === 'WebhookDisabled' || type === 'WebhookDeleted');
  if (end === undefined) return [];
  const from = byOurClock(evidence, Date.parse(field(end, 'at'))) + IN_FLIGHT_MS;
  return evidence.messages
    .filter((message) => message.path === path && message.at > from)
    .filter(({ at }) => !mayHaveMissedChanges(evidence, from - IN_FLIGHT_MS, at))
    .map(({ id, at }) => `${id} was sent ${at - from} ms after the last that may have been in flight`);
}

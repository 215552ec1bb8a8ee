import { envelopeIdOf } from '../../../../contracts/webhooks/envelope.ts';
import { byStream, field } from './index.ts';
import type { LogEvent } from './types.ts';

/** Webhook event by the event that it announces. A deliberate second copy of the contract's table. */
const announced: Readonly<Record<string, string>> = {
  SessionDestroyed: 'session.completed',
  SessionErrored: 'session.failed',
  EgressCapabilitiesReported: 'session.egress_capability_changed',
  ChallengeDetected: 'session.challenge_detected',
  ProfileSaveFailed: 'session.profile_save_failed',
  ApiKeyRevoked: 'api_key.revoked',
  WebhookTestRequested: 'test.ping',
};

/** A webhook event for the account's endpoints. */
export interface Announcement {
  /** Id of the envelope. */
  readonly id: string;
  readonly type: string;
  readonly account: string;
  readonly cause: LogEvent;
}

/** State of an endpoint at some position of the log. */
export interface Endpoint {
  readonly id: string;
  readonly account: string;
  readonly path: string;
  readonly types: readonly string[];
  readonly isActive: boolean;
}

/** An announcement that an endpoint must get. */
export interface Wanted {
  readonly announcement: Announcement;
  readonly webhook: string;
}

export interface WantedReplay {
  readonly requested: LogEvent;
  readonly wanted: readonly Wanted[];
}

/** The messages that must have been sent, computed from the log alone, without the service's code. */
export interface Webhooks {
  readonly announcements: ReadonlyMap<string, Announcement>;
  /** For events and for tests. */
  readonly wanted: readonly Wanted[];
  readonly replays: readonly WantedReplay[];
  /** State at the end. */
  readonly endpoints: ReadonlyMap<string, Endpoint>;
}

/** Reads the log once from the start. The recipients of an event are the endpoints that were subscribed before it. */
export function webhooksOf(log: readonly LogEvent[]): Webhooks {
  const owners = new Map<string, string>();
  const announcements = new Map<string, Announcement>();
  const endpoints = new Map<string, Endpoint>();
  const wanted: Wanted[] = [];
  const replays: WantedReplay[] = [];
  for (const event of log) {
    if (!owners.has(event.stream)) owners.set(event.stream, field(event, 'accountId'));
    const type = announced[event.type];
    if (type !== undefined) {
      const account = owners.get(event.stream) ?? '';
      const announcement = { id: envelopeIdOf(event.id), type, account, cause: event };
      announcements.set(announcement.id, announcement);
      for (const webhook of recipientsOf(announcement, endpoints)) wanted.push({ announcement, webhook });
    }
    if (event.type === 'ReplayRequested') replays.push(replayOf(event, announcements, endpoints));
    if (event.category === 'webhook_endpoint') change(endpoints, event);
  }
  return { announcements, wanted, replays, endpoints };
}

function recipientsOf(
  { type, account, cause }: Announcement,
  endpoints: ReadonlyMap<string, Endpoint>,
): readonly string[] {
  if (type === 'test.ping') return [field(cause, 'webhookId')];
  return [...endpoints.values()]
    .filter((each) => each.isActive && each.account === account && each.types.includes(type))
    .map(({ id }) => id);
}

function change(endpoints: Map<string, Endpoint>, event: LogEvent): void {
  const id = field(event, 'webhookId');
  const before = endpoints.get(id);
  if (event.type === 'WebhookRegistered') {
    const [account, { pathname: path }] = [field(event, 'accountId'), new URL(field(event, 'url'))];
    endpoints.set(id, { id, account, path, types: texts(event.data.events), isActive: true });
  }
  if (before === undefined) return;
  if (event.type === 'WebhookChanged') endpoints.set(id, { ...before, types: texts(event.data.events) });
  if (event.type === 'WebhookDisabled' || event.type === 'WebhookDeleted')
    endpoints.set(id, { ...before, isActive: false });
}

/** Announcements before the request, within `since` and `until`. */
function replayOf(
  requested: LogEvent,
  announcements: ReadonlyMap<string, Announcement>,
  endpoints: ReadonlyMap<string, Endpoint>,
): WantedReplay {
  const webhook = field(requested, 'webhookId');
  const endpoint = endpoints.get(webhook);
  const types = texts(requested.data.types ?? endpoint?.types);
  const [since, until] = [field(requested, 'since'), field(requested, 'until')];
  const wanted = [...announcements.values()]
    .filter(({ account, type }) => account === endpoint?.account && types.includes(type))
    .filter(({ cause }) => since <= field(cause, 'at') && field(cause, 'at') < until)
    .map((announcement) => ({ announcement, webhook }));
  return { requested, wanted };
}

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** A delivery with its whole stream. */
export interface Delivery {
  readonly stream: string;
  readonly scheduled: LogEvent;
  readonly events: readonly LogEvent[];
}

export const deliveriesOf = (log: readonly LogEvent[]): readonly Delivery[] =>
  [...byStream(log, 'webhook_delivery')].flatMap(([stream, events]) => {
    const scheduled = events.find(({ type }) => type === 'DeliveryScheduled');
    return scheduled === undefined ? [] : [{ stream, scheduled, events }];
  });

import { Accepted } from '../resources/login.ts';
import * as status from '../resources/status.ts';
import type { Route } from '../route.ts';
import { Type } from '../schema.ts';
import { accepted, area, idParam, ok } from './rows.ts';

const { read, write, detail } = area({ tag: 'Status', reads: [], writes: [], accountHeader: 'ignored' });

const open = { scopes: null, bucket: null, problems: [] } as const;
/** Routes without a credential, except a mailed token. */
const tries = {
  scopes: null,
  bucket: 'auth:attempt',
  query: { token: Type.String({ maxLength: 300, description: 'From the link in the mail.' }) },
  problems: ['invalid-auth-token'],
} as const;
const jsonOrPage = { contentType: 'application/json, text/html' } as const;
const asking = { ...ok(Type.String(), 'A page with a button.'), contentType: 'text/html' } as const;

/** The public status of the service. */
export const statusRoutes = [
  read('GET /v1/status', 'status.get', {
    ...open,
    summary: 'Public status of the service; the last known one while its stores are unavailable',
    success: {
      ...ok(status.PublicStatus, 'The components and the incidents.'),
      headers: { Age: 'Seconds since the status was last known to be complete.' },
    },
  }),
  read('GET /v1/status/stream', 'status.stream', {
    ...open,
    summary: 'Public status as a stream of events: the current one, then one at each change',
    lasts: 'endless',
    headers: { 'Last-Event-ID': 'The id of the last event that the client has. Only later ones are sent.' },
    success: { ...ok(status.PublicStatus, 'Events `status.updated`.'), contentType: 'text/event-stream' },
    problems: ['rate-limited'],
  }),
  read('GET /v1/status/sla', 'status.sla', {
    ...open,
    summary: 'Share of successful probes, and number of incidents',
    success: ok(status.StatusUptime, 'By window, up to now.'),
  }),
  read('GET /v1/status/feed.atom', 'status.feed', {
    ...open,
    summary: 'Incidents as an Atom feed (RFC 4287)',
    success: { ...ok(Type.String(), 'The feed.'), contentType: 'application/atom+xml' },
  }),
  ...detail('/v1/status/incidents/{id}', 'incidents', status.StatusIncident, 'incident', {
    scopes: null,
    bucket: 'status:read',
    params: idParam('`inc_<uuid>`'),
  }),
  write('POST /v1/status/subscribe', 'status.subscribe', {
    ...open,
    summary: 'Subscribe to incidents by mail; a first mail contains a link to confirm',
    bucket: 'status:subscribe',
    body: status.SubscribeToStatus,
    success: accepted(Accepted, 'Accepted: the answer is the same for every address.'),
  }),
  write('GET /v1/status/subscribe/confirm', 'status.confirm-page', {
    ...tries,
    summary:
      'Confirmation page of the link in the mail; opening it changes nothing, since programs open links, too',
    success: asking,
  }),
  write('POST /v1/status/subscribe/confirm', 'status.confirm', {
    ...tries,
    summary: 'Confirm a subscription; idempotent. The body is ignored',
    success: { ...ok(status.SubscriptionConfirmed, 'The subscription is confirmed.'), ...jsonOrPage },
  }),
  write('GET /v1/status/subscribe/unsubscribe', 'status.unsubscribe-page', {
    ...tries,
    summary: 'Confirmation page of the link that unsubscribes; opening it changes nothing',
    success: asking,
  }),
  write('POST /v1/status/subscribe/unsubscribe', 'status.unsubscribe', {
    ...tries,
    summary:
      'End a subscription, also by one click in a mail program (RFC 8058); idempotent. The body is ignored',
    success: { ...ok(status.Unsubscribed, 'No more mails are sent.'), ...jsonOrPage },
  }),
] as const satisfies readonly Route[];

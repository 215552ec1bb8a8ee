import { Type, page } from '../schema.ts';
import type { Route } from '../route.ts';
import { EventPage, EventsQuery } from '../resources/event.ts';
import * as delivery from '../resources/webhook-delivery.ts';
import * as endpoint from '../resources/webhook-endpoint.ts';
import * as replay from '../resources/webhook-replay.ts';
import { ListQuery, accepted, area, created, idParam, noContent, ok } from './rows.ts';

const params = idParam('`whk_<uuid>`');
const deliveryParams = idParam('`dlv_<uuid>`');
const replayParams = { ...params, replay_id: Type.String({ description: '`rpl_<uuid>`' }) };

const { read, write, list, detail } = area({
  tag: 'Webhooks',
  reads: ['read'],
  writes: ['write'],
  readRole: 'admin',
});

/** Endpoints and their deliveries. Team members cannot read them; admins can. */
export const webhookRoutes = [
  list('/v1/webhooks', 'webhooks.list', endpoint.Webhook, 'endpoints'),
  ...detail('/v1/webhooks/{id}', 'webhooks', endpoint.Webhook, 'endpoint', { params }),
  read('GET /v1/webhooks/{id}/deliveries', 'webhooks.deliveries', {
    summary: "An endpoint's deliveries with every attempt, newest first",
    params,
    query: { ...ListQuery, ...delivery.DeliveryFilter },
    success: ok(page(delivery.WebhookDelivery), 'A page of deliveries.'),
    problems: ['bad-request', 'not-found'],
  }),
  read('GET /v1/webhooks/{id}/replays/{replay_id}', 'webhooks.replay-progress', {
    summary: 'Progress of a replay of a range',
    params: replayParams,
    success: ok(replay.WebhookReplay, 'The replay.'),
    problems: ['not-found'],
  }),
  read('GET /v1/events', 'events.list', {
    tag: 'Events',
    summary:
      'Every event of the account, oldest first and without gaps, for clients that cannot receive webhooks',
    accountHeader: 'ignored',
    lasts: 'endless',
    headers: {
      'Last-Event-ID':
        'For a stream: the id of the last event that the client has. Only later ones are sent, whatever `after` is.',
    },
    query: EventsQuery,
    success: {
      ...ok(EventPage, 'A page of envelopes, the same as deliveries carry.'),
      contentType: 'application/json, text/event-stream',
    },
    problems: ['bad-request'],
  }),
  write('POST /v1/webhooks', 'webhooks.create', {
    summary: 'Register an endpoint; its signing secret is shown once',
    body: endpoint.CreateWebhook,
    success: created(endpoint.IssuedWebhook, 'The endpoint, with its secret, which is shown only once.'),
    problems: ['conflict', 'tier-limit'],
  }),
  write('PATCH /v1/webhooks/{id}', 'webhooks.update', {
    summary: 'Replace the subscriptions of an endpoint; not retroactive',
    params,
    body: endpoint.UpdateWebhook,
    success: ok(endpoint.Webhook, 'The endpoint as it is now.'),
    problems: ['not-found', 'conflict'],
  }),
  write('DELETE /v1/webhooks/{id}', 'webhooks.delete', {
    summary: 'Delete an endpoint and cancel its pending deliveries; idempotent',
    params,
    success: noContent('The endpoint is deleted.'),
    problems: ['not-found', 'conflict'],
  }),
  write('POST /v1/webhooks/{id}/rotate-secret', 'webhooks.rotate-secret', {
    summary: 'Replace the signing secret; both sign for the grace window',
    stepUp: true,
    params,
    success: ok(endpoint.RotatedSecret, 'The new secret, which is shown only once.'),
    problems: ['not-found', 'conflict'],
  }),
  write('POST /v1/webhooks/{id}/test', 'webhooks.test', {
    summary: 'Send one `test.ping`, whatever the endpoint subscribes to',
    bucket: 'webhooks:test',
    params,
    success: accepted(delivery.TestSent, 'The ping is being sent.'),
    problems: ['not-found', 'conflict'],
  }),
  write('POST /v1/webhooks/{id}/replay', 'webhooks.replay', {
    summary: 'Send a range of past events again, also from before the endpoint existed',
    params,
    body: replay.ReplayRange,
    success: accepted(
      replay.ReplayAccepted,
      'The replay, which runs in the background; or, for a dry run, what it would send.',
    ),
    problems: ['not-found', 'conflict'],
  }),
  write('DELETE /v1/webhooks/{id}/replays/{replay_id}', 'webhooks.cancel-replay', {
    summary: 'Cancel a running replay; deliveries that it has made are still sent',
    params: replayParams,
    success: noContent('The replay makes no more deliveries.'),
    problems: ['not-found', 'conflict'],
  }),
  read('GET /v1/webhook-deliveries/{id}', 'webhook-deliveries.get', {
    summary: 'Read a delivery with its attempts and the request of each',
    params: deliveryParams,
    success: ok(delivery.WebhookDeliveryDetail, 'The delivery, its attempts, and the request of each.'),
    problems: ['not-found', 'feature-unavailable'],
  }),
  write('POST /v1/webhook-deliveries/{id}/replay', 'webhook-deliveries.replay', {
    summary: 'Send the event of an ended delivery again, as a new delivery',
    params: deliveryParams,
    success: accepted(delivery.DeliveryReplayed, 'The new delivery.'),
    problems: ['not-found', 'conflict'],
  }),
] as const satisfies readonly Route[];

import { Type } from '../schema.ts';
import type { Route } from '../route.ts';
import * as webhook from '../resources/webhook.ts';
import { readsOf, writesOf } from './defaults.ts';
import { ListQuery, page } from './paging.ts';

const WebhookParam = { id: Type.String({ description: '`whk_<uuid>`' }) };
const ReplayParam = { ...WebhookParam, replay_id: Type.String({ description: '`rpl_<uuid>`' }) };
const DeliveryParam = { id: Type.String({ description: '`dlv_<uuid>`' }) };

const writes = writesOf('Webhooks', ['write']);
const reads = readsOf('Webhooks', ['read']);

/** Endpoints, and what is sent to them. */
export const webhookWrites = [
  {
    ...writes,
    id: 'webhooks.create',
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Register an endpoint; its signing secret is shown once',
    body: webhook.CreateWebhook,
    bodyRequired: true,
    success: {
      status: 201,
      body: webhook.IssuedWebhook,
      description: 'The endpoint, with its secret in plain text this once.',
    },
    problems: ['conflict', 'tier-limit'],
  },
  {
    ...writes,
    id: 'webhooks.update',
    method: 'PATCH',
    path: '/v1/webhooks/{id}',
    summary: 'Replace what an endpoint subscribes to; not retroactive',
    params: WebhookParam,
    body: webhook.UpdateWebhook,
    bodyRequired: true,
    success: { status: 200, body: webhook.Webhook, description: 'The endpoint as it is now.' },
    problems: ['not-found', 'conflict'],
  },
  {
    ...writes,
    id: 'webhooks.delete',
    method: 'DELETE',
    path: '/v1/webhooks/{id}',
    summary: 'Delete an endpoint; what is pending for it is cancelled; idempotent',
    params: WebhookParam,
    success: { status: 204, body: null, description: 'The endpoint is gone.' },
    problems: ['not-found', 'conflict'],
  },
  {
    ...writes,
    id: 'webhooks.rotate-secret',
    method: 'POST',
    path: '/v1/webhooks/{id}/rotate-secret',
    summary: 'Replace the signing secret; both sign for the grace window',
    params: WebhookParam,
    success: {
      status: 200,
      body: webhook.RotatedSecret,
      description: 'The new secret, in plain text this once.',
    },
    problems: ['not-found', 'conflict'],
  },
  {
    ...writes,
    id: 'webhooks.test',
    method: 'POST',
    path: '/v1/webhooks/{id}/test',
    summary: 'Send one `test.ping`, whatever the endpoint subscribes to',
    bucket: 'webhooks:test',
    params: WebhookParam,
    success: { status: 202, body: webhook.TestSent, description: 'The ping is on its way.' },
    problems: ['not-found', 'conflict'],
  },
  {
    ...writes,
    id: 'webhooks.replay',
    method: 'POST',
    path: '/v1/webhooks/{id}/replay',
    summary: 'Send a range of past events again, also from before the endpoint existed',
    params: WebhookParam,
    body: webhook.ReplayRange,
    bodyRequired: true,
    success: {
      status: 202,
      body: webhook.ReplayAccepted,
      description: 'The replay, which goes on by itself; or, of a dry run, what it would send.',
    },
    problems: ['not-found', 'conflict'],
  },
  {
    ...writes,
    id: 'webhooks.cancel-replay',
    method: 'DELETE',
    path: '/v1/webhooks/{id}/replays/{replay_id}',
    summary: 'End a replay that is running; what it has made deliveries of is still sent',
    params: ReplayParam,
    success: { status: 204, body: null, description: 'The replay makes no more deliveries.' },
    problems: ['not-found', 'conflict'],
  },
  {
    ...writes,
    id: 'webhook-deliveries.replay',
    method: 'POST',
    path: '/v1/webhook-deliveries/{id}/replay',
    summary: 'Send a delivery that has ended once more: a new delivery of the same event',
    params: DeliveryParam,
    success: { status: 202, body: webhook.DeliveryReplayed, description: 'The new delivery.' },
    problems: ['not-found', 'conflict'],
  },
] as const satisfies readonly Route[];

export const webhookReads = [
  {
    ...reads,
    id: 'webhooks.list',
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'List endpoints, newest first',
    query: ListQuery,
    success: { status: 200, body: page(webhook.Webhook), description: 'A page of endpoints.' },
    problems: ['bad-request'],
  },
  {
    ...reads,
    id: 'webhooks.get',
    method: 'GET',
    path: '/v1/webhooks/{id}',
    summary: 'Read one endpoint',
    params: WebhookParam,
    success: { status: 200, body: webhook.Webhook, description: 'The endpoint.' },
    problems: ['not-found'],
  },
  {
    ...reads,
    id: 'webhooks.deliveries',
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries',
    summary: "An endpoint's deliveries with every attempt, newest first",
    params: WebhookParam,
    query: { ...ListQuery, ...webhook.DeliveryFilter },
    success: { status: 200, body: page(webhook.WebhookDelivery), description: 'A page of deliveries.' },
    problems: ['bad-request', 'not-found'],
  },
  {
    ...reads,
    id: 'webhooks.replay-progress',
    method: 'GET',
    path: '/v1/webhooks/{id}/replays/{replay_id}',
    summary: 'How far a replay of a range is',
    params: ReplayParam,
    success: { status: 200, body: webhook.WebhookReplay, description: 'The replay.' },
    problems: ['not-found'],
  },
  {
    ...reads,
    id: 'events.list',
    method: 'GET',
    path: '/v1/events',
    tag: 'Events',
    summary: 'Every event of the account, oldest first and without gaps: for those who cannot receive',
    query: webhook.EventsQuery,
    success: {
      status: 200,
      body: webhook.EventPage,
      description: 'A page of envelopes, the same as deliveries carry.',
    },
    problems: ['bad-request'],
  },
] as const satisfies readonly Route[];

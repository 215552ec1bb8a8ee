const at = '2026-01-31T09:30:00.000Z';
const secret = 'whsec_c2hvd24tb25jZS1hbmQtbmV2ZXItYWdhaW4tYWZ0ZXI';

const webhookId = 'whk_0198f0a3-2222-7abc-8def-0123456789ab';
const webhook = {
  id: webhookId,
  url: 'https://receiver.example/hooks',
  events: ['session.completed', 'session.failed'],
  description: 'production',
  consecutive_failures: 0,
  disabled_at: null,
  created_at: at,
  updated_at: at,
  secret_created_at: at,
  previous_secret_expires_at: null,
};

const envelope = {
  id: '5b2a6c1e-0000-5c43-9d0b-4f3a2b1c0d9e',
  type: 'session.completed',
  created_at: at,
  data: { session_id: 'ses_0198f0a2-6c1e-7c43-9d0b-4f3a2b1c0d9e', duration_ms: 61_250 },
};

const delivery = {
  id: 'dlv_7d1f0c2e-0000-5c43-9d0b-4f3a2b1c0d9e',
  endpoint_id: webhookId,
  event_id: envelope.id,
  event_type: envelope.type,
  status: 'delivered',
  trigger: 'event',
  replay_of: null,
  attempt_count: 2,
  next_attempt_at: null,
  created_at: at,
  delivered_at: '2026-01-31T09:31:04.000Z',
  attempts: [
    {
      at,
      response_status: 503,
      error: null,
      duration_ms: 118,
      timings: { resolve_ms: 4, connect_ms: 31, first_byte_ms: 117 },
    },
    {
      at: '2026-01-31T09:31:03.000Z',
      response_status: 204,
      error: null,
      duration_ms: 80,
      timings: { resolve_ms: null, connect_ms: null, first_byte_ms: 80 },
    },
  ],
};

const deliveryRequest = {
  method: 'POST',
  url: webhook.url,
  headers: [
    { name: 'Content-Type', value: 'application/json' },
    { name: 'X-Service-Signature', value: null },
    { name: 'X-Service-Event-Id', value: envelope.id },
    { name: 'X-Service-Event-Type', value: envelope.type },
    { name: 'User-Agent', value: 'Service-Webhooks/1' },
  ],
  body: JSON.stringify(envelope),
};

const replay = {
  kind: 'replay',
  id: 'rpl_0198f0a4-3333-7abc-8def-0123456789ab',
  endpoint_id: webhookId,
  status: 'running',
  since: '2026-01-30T00:00:00.000Z',
  until: at,
  types: null,
  scheduled: 1300,
  created_at: at,
  completed_at: null,
};

/** Examples of endpoints, deliveries, replays and events. */
export const webhookExamples = {
  'webhooks.list': { response: { data: [webhook], has_more: false, next_cursor: '' } },
  'webhooks.get': { response: webhook },
  'webhooks.deliveries': { response: { data: [delivery], has_more: false, next_cursor: '' } },
  'webhooks.create': {
    request: { url: webhook.url, events: webhook.events, description: webhook.description },
    response: { ...webhook, secret },
  },
  'webhooks.update': {
    request: { events: ['session.failed'] },
    response: { ...webhook, events: ['session.failed'] },
  },
  'webhooks.rotate-secret': { response: { secret, previous_secret_expires_at: '2026-02-01T09:30:00.000Z' } },
  'webhooks.test': { response: { event_id: envelope.id, delivery_id: delivery.id } },
  'webhooks.replay': {
    request: { since: replay.since, types: ['session.completed'] },
    response: { ...replay, types: ['session.completed'], scheduled: 0 },
  },
  'webhooks.replay-progress': { response: replay },
  'webhook-deliveries.get': { response: { ...delivery, request: deliveryRequest } },
  'webhook-deliveries.replay': {
    response: {
      delivery_id: 'dlv_0d0f7c55-0000-5c43-9d0b-4f3a2b1c0d9e',
      replay_of: delivery.id,
      event_id: envelope.id,
      status: 'pending',
    },
  },
  'events.list': {
    response: { data: [envelope], has_more: false, next_cursor: 'WyIxODA0MjEiLCIxODA0MjEiXQ' },
  },
};

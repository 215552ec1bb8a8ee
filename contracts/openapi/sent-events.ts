import { envelopes as sent } from '../webhooks/envelope.ts';
import { jsonSchemaWithRefs, referenceTo, type JsonObject } from './json-schema.ts';
import { schemaNames } from './names.ts';

type SentType = keyof typeof sent;

const summaries: Readonly<Record<SentType, string>> = {
  'session.completed': 'A session is destroyed, once',
  'session.failed': 'A session moves to errored',
  'api_key.revoked': 'A key is revoked, by its owner or by staff',
  'session.egress_capability_changed': "A session's node reports its egress capability, changed or not",
  'crypto.order.paid': 'A crypto order is paid',
  'crypto.order.failed': 'A crypto order has failed for good',
  'session.challenge_detected': "A session's node sees a bot check",
  'session.profile_save_failed': 'The state of a session could not replace the stored profile',
  'test.ping': 'An endpoint is tested; sent whatever it subscribes to',
};

const header = (name: string, description: string): JsonObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** Headers of every attempt, by component name. */
export const attemptHeaders = {
  WebhookSignature: header(
    'X-Service-Signature',
    '`t=<unix seconds>,v1=<hex>`: the HMAC-SHA256 of `<t>.<body>`, keyed by the secret of the endpoint. Two `v1` during a rotation.',
  ),
  WebhookEventId: header('X-Service-Event-Id', 'The `id` of the envelope.'),
  WebhookEventType: header('X-Service-Event-Type', 'The `type` of the envelope.'),
};

const isType = (type: string): type is SentType => Object.hasOwn(sent, type);

const sending = (type: SentType): JsonObject => ({
  operationId: `sent.${type}`,
  summary: summaries[type],
  tags: ['Webhooks'],
  security: [],
  parameters: Object.keys(attemptHeaders).map((name) => referenceTo('parameters', name)),
  requestBody: {
    required: true,
    content: { 'application/json': { schema: jsonSchemaWithRefs(sent[type], schemaNames) } },
  },
  responses: {
    '2XX': {
      description: 'Accepted. After any other answer, or none within 10 seconds, it is sent again later.',
    },
  },
});

/** Messages sent to endpoints, by event type; the `webhooks` of OpenAPI. */
export const sentEvents = (): JsonObject =>
  Object.fromEntries(
    Object.keys(sent)
      .filter(isType)
      .map((type) => [type, { post: sending(type) }]),
  );

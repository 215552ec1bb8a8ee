import { causeKinds } from '../events/metadata.ts';
import { mailTemplates, subscriberMailTemplates } from '../events/mail.ts';
import { idSchema } from '../ids.ts';
import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { WebhookDelivery } from './webhook-delivery.ts';

const RequestFacts = closed({
  id: Type.String({ description: 'The `X-Request-Id` of its answer.' }),
  method: nullable(Type.String()),
  path: nullable(Type.String({ description: 'Path of the route; ids in it are `{id}`.' })),
  status: nullable(
    Type.Integer({
      description:
        'Null if it was never answered, or the process was killed, and in the first moments after the answer.',
    }),
  ),
  at: Timestamp,
  duration_ms: nullable(Type.Integer({ minimum: 0 })),
});

const CausedEvent = closed({
  id: Type.String({ format: 'uuid' }),
  type: Type.String(),
  stream: Type.String(),
  position: Type.String({ description: 'Position in the log, as in `X-Service-Position`.' }),
  at: Timestamp,
  cause: nullable(
    Type.String({
      format: 'uuid',
      description: 'The event in this list that caused it; null if the request did.',
    }),
  ),
  by: oneOf(causeKinds),
  name: Type.Optional(
    Type.String({ description: 'The route, the process manager, the timer or the callback.' }),
  ),
});
export type CausedEvent = Static<typeof CausedEvent>;

/** The effects of a request within one account. */
export const RequestTree = closed({
  request: RequestFacts,
  events: Type.Array(CausedEvent, { description: 'In the order of the log.' }),
  deliveries: Type.Array(
    closed({
      id: idSchema('webhookDelivery'),
      event_id: WebhookDelivery.properties.event_id,
      status: WebhookDelivery.properties.status,
      attempts: WebhookDelivery.properties.attempts,
    }),
  ),
  mails: Type.Array(
    closed({
      id: idSchema('mail'),
      template: oneOf([...mailTemplates, ...subscriberMailTemplates]),
      status: oneOf(['queued', 'sent', 'abandoned']),
    }),
  ),
  has_more: Type.Boolean({ description: 'Whether it led to more than the 1000 events that are shown.' }),
});
export type RequestTree = Static<typeof RequestTree>;

import { Type, closed } from '../schema.ts';
import { WebhookEnvelope } from '../webhooks/envelope.ts';

export const EventsQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  after: Type.Optional(
    Type.String({
      maxLength: 1024,
      description:
        "The `next_cursor` of the previous page, or the value of an `X-Service-Position`. By default the page starts at the account's first event.",
    }),
  ),
};

/** Oldest first and without gaps. `next_cursor` is never empty: use it to poll for later events. */
export const EventPage = closed({
  data: Type.Array(WebhookEnvelope),
  has_more: Type.Boolean(),
  next_cursor: Type.String(),
});

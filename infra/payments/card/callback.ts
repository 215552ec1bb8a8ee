import { refuse } from '../../../contracts/problems.ts';
import { Type, nullable, type Static } from '../../../contracts/schema.ts';
import { Check } from 'typebox/value';
import { idOf, subscriptionOf, type TierOfPrice } from './answers.ts';
import { saidIn } from './said.ts';
import type { CardCallback } from './types.ts';

const Reference = Type.Union([Type.String(), Type.Object({ id: Type.String() }), Type.Null()]);
/** The position of an invoice's subscription in newer versions of the API. */
const Parent = nullable(
  Type.Object({
    subscription_details: Type.Optional(nullable(Type.Object({ subscription: Type.Optional(Reference) }))),
  }),
);

/** The fields of an event that identify its subject. */
const EventBody = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 255 }),
  type: Type.String({ minLength: 1, maxLength: 255 }),
  created: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 })),
  data: Type.Object({
    object: Type.Object({
      id: Type.Optional(Type.String()),
      object: Type.Optional(Type.String()),
      customer: Type.Optional(Reference),
      subscription: Type.Optional(Reference),
      parent: Type.Optional(Parent),
    }),
  }),
});
type EventObject = Static<typeof EventBody>['data']['object'];

/** Parses the result of `construct`, which throws unless the signature is valid. */
export function eventOf(construct: () => unknown, receivedAt: Date, tierOf: TierOfPrice): CardCallback {
  const event = constructed(construct);
  if (!Check(EventBody, event)) throw refuse('bad-request', 'The body is not an event.');
  const { id: eventId, type: kind, created, data } = event;
  const createdAt = (created === undefined ? receivedAt : new Date(created * 1000)).toISOString();
  const { object } = data;
  const customerId = idOf(object.customer);
  return { eventId, kind, createdAt, customerId, ...subjectOf(object), ...saidIn(object, kind, tierOf) };
}

function constructed(construct: () => unknown): unknown {
  try {
    return construct();
  } catch {
    throw refuse('bad-request', 'The signature is missing, wrong or too old.');
  }
}

function subjectOf(object: EventObject): Pick<CardCallback, 'subscriptionId' | 'invoiceId'> {
  const id = object.id ?? null;
  if (object.object === 'subscription') return { subscriptionId: id, invoiceId: null };
  return { subscriptionId: subscriptionOf(object), invoiceId: object.object === 'invoice' ? id : null };
}

import { Type, Timestamp, closed, nullable } from '../schema.ts';
import { category, type EventOf } from './catalogue.ts';

/**
 * `processor_event-<uuid>`: a callback of a payment processor, whose signature was right, as one event; the uuid derives from what it
 * says, so that each is kept once. It is kept before it is acknowledged, and only says what to ask the processor about: no amount,
 * address or name in it is believed or stored.
 */
export const processorEventEvents = category('processor_event', {
  CardEventReceived: closed({
    /** The processor's own id of it. */
    eventId: Type.String(),
    /** Such as `invoice.paid`. */
    kind: Type.String(),
    customerId: nullable(Type.String()),
    subscriptionId: nullable(Type.String()),
    invoiceId: nullable(Type.String()),
    /** When the processor made it. */
    createdAt: Timestamp,
    at: Timestamp,
  }),
  CryptoEventReceived: closed({
    paymentId: Type.String(),
    /** What we called the order when the payment was made; null: nothing of ours. */
    orderId: nullable(Type.String()),
    status: Type.String(),
    at: Timestamp,
  }),
});
export type ProcessorEvent = EventOf<typeof processorEventEvents>;

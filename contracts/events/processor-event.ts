import { Type, Timestamp, closed, nullable } from '../schema.ts';
import { category, type EventOf } from './catalogue.ts';
import { DescribedInvoice, DescribedSubscription } from './subscription.ts';

/**
 * `processor_event-<uuid>`: a callback of a payment processor, whose signature was right, as one event; the uuid derives from what it
 * says, so that each is kept once. It is kept before it is acknowledged, and says what to ask the processor about. Nothing of people
 * in it is stored.
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
    /** What it says itself of what it is about. It counts where the processor has nothing of that id. */
    subscription: Type.Optional(DescribedSubscription),
    invoice: Type.Optional(DescribedInvoice),
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

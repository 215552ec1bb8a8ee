import { Type, Timestamp, closed, nullable } from '../schema.ts';
import { category, type EventOf } from './catalogue.ts';
import { DescribedInvoice, DescribedSubscription } from './subscription.ts';

/**
 * `processor_event-<uuid>`: a payment processor's callback with a valid signature, as a single event. The uuid derives from its
 * content, so that it is stored once. Stored before it is acknowledged; it says what to query from the processor, and contains no
 * personal data.
 */
export const processorEventEvents = category('processor_event', {
  CardEventReceived: closed({
    /** The processor's id of it. */
    eventId: Type.String(),
    /** Such as `invoice.paid`. */
    kind: Type.String(),
    customerId: nullable(Type.String()),
    subscriptionId: nullable(Type.String()),
    invoiceId: nullable(Type.String()),
    /** The callback's own content. Used only if the processor does not know the id. */
    subscription: Type.Optional(DescribedSubscription),
    invoice: Type.Optional(DescribedInvoice),
    /** When the processor created it. */
    createdAt: Timestamp,
    at: Timestamp,
  }),
  CryptoEventReceived: closed({
    paymentId: Type.String(),
    /** The order id given at the payment's creation; null: none of ours. */
    orderId: nullable(Type.String()),
    status: Type.String(),
    at: Timestamp,
  }),
});
export type ProcessorEvent = EventOf<typeof processorEventEvents>;

import type { OrderEvent, ReviewReason } from '../../contracts/events/order.ts';
import type { AccountId, OrderId } from '../../contracts/ids.ts';
import type { ProcessorStatus } from '../../contracts/processor-payment.ts';
import type { DataOf } from '../kit/decider.ts';

export type Recorded<Type extends OrderEvent['type']> = DataOf<OrderEvent, Type>;
type Payment = Omit<Recorded<'PaymentCreated'>, 'orderId' | 'accountId' | 'at'>;

/** Money to be reviewed by staff. */
export interface Review {
  readonly paymentId: string;
  readonly reason: ReviewReason;
  readonly processorStatus: ProcessorStatus;
  readonly payCurrency: string;
  /** In the smallest unit; null: not reported by the processor. */
  readonly amountPaid: string | null;
  readonly payExponent: number;
  readonly at: string;
}

/** A payment that may have been requested from the processor and is not recorded. */
export interface PaymentRequest {
  readonly attempt: number;
  readonly payCurrency: string;
  readonly at: string;
}

interface OrderFacts extends Readonly<Omit<Recorded<'OrderPlaced'>, 'payCurrency' | 'at'>> {
  readonly createdAt: string;
  /** Null: the last requested payment is recorded. */
  readonly requested: PaymentRequest | null;
  /** Payments requested from the customer before the present one. */
  readonly replaced: readonly string[];
  /** In the smallest unit of the payment's currency. */
  readonly amountPaid: string;
  readonly paidAt: string | null;
  readonly failedAt: string | null;
  readonly failureReason: Recorded<'OrderExpired'>['reason'] | null;
  readonly reviews: readonly Review[];
  /** Due times of checks after the end. Absent: an open order, or one that an earlier release has ended. */
  readonly checksAt?: readonly string[];
}

/** No payment request was shown to the customer. */
type Unseen = OrderFacts & { readonly status: 'placed' | 'withdrawn'; readonly payment: null };
/** An order visible to its customer. */
export type PayableOrder = OrderFacts & {
  readonly status: 'pending' | 'partially_paid' | 'confirming' | 'paid' | 'expired' | 'failed' | 'cancelled';
  readonly payment: Payment;
};
export type ExistingOrder = Unseen | PayableOrder;
export type Order =
  | { readonly status: 'none' }
  | { readonly status: 'abandoned'; readonly orderId: OrderId; readonly accountId: AccountId }
  | ExistingOrder;

export const isPlaced = (state: Order): state is ExistingOrder =>
  state.status !== 'none' && state.status !== 'abandoned';

export const isPayable = (state: Order): state is PayableOrder => isPlaced(state) && state.payment !== null;

/** True while a payment can still complete the order. */
export const isOpen = ({ status }: ExistingOrder): boolean =>
  status === 'pending' || status === 'partially_paid' || status === 'confirming';

export function evolve(state: Order, event: OrderEvent): Order {
  if (state.status === 'none') return begin(state, event);
  return isPlaced(state) ? advance(state, event) : state;
}

function begin(state: Order, event: OrderEvent): Order {
  const { orderId, accountId } = event.data;
  if (event.type === 'OrderAbandoned') return { status: 'abandoned', orderId, accountId };
  if (event.type !== 'OrderPlaced') return state;
  const { payCurrency, at, ...facts } = event.data;
  return {
    ...facts,
    ...{ status: 'placed', createdAt: at, requested: { attempt: 1, payCurrency, at }, payment: null },
    ...{ replaced: [], amountPaid: '0', paidAt: null, failedAt: null, failureReason: null, reviews: [] },
  };
}

/** The events of an order whose payment was requested. */
const movements = [
  'OrderPartlyPaid',
  'OrderConfirming',
  'OrderPaid',
  'OrderFailed',
  'OrderExpired',
  'OrderCancelled',
] as const;
type Movement = Extract<OrderEvent, { readonly type: (typeof movements)[number] }>;
const isMovement = (event: OrderEvent): event is Movement => movements.some((type) => type === event.type);

function advance(state: ExistingOrder, event: OrderEvent): Order {
  if (isMovement(event)) return isPayable(state) && isOpen(state) ? moved(state, event) : state;
  switch (event.type) {
    case 'OrderPlaced':
    case 'OrderAbandoned':
      return state;
    case 'PaymentRequested': {
      const { attempt, payCurrency, at } = event.data;
      return { ...state, requested: { attempt, payCurrency, at } };
    }
    case 'PaymentCreated':
      return withPayment(state, event.data);
    case 'PaymentReviewRequested': {
      const { orderId: _, accountId: __, ...review } = event.data;
      return { ...state, reviews: [...state.reviews, review] };
    }
    case 'PaymentsChecked':
      return { ...state, checksAt: event.data.checksAt };
    case 'OrderWithdrawn':
      return state.status === 'placed' ? { ...state, status: 'withdrawn', requested: null } : state;
  }
}

function withPayment(state: ExistingOrder, created: Recorded<'PaymentCreated'>): Order {
  if (state.status !== 'placed' && state.status !== 'pending') return state;
  const { orderId: _, accountId: __, at: ___, ...payment } = created;
  const replaced = state.payment === null ? [] : [...state.replaced, state.payment.paymentId];
  const requested = state.requested?.attempt === payment.attempt ? null : state.requested;
  return { ...state, status: 'pending', payment, replaced, requested };
}

function moved(state: PayableOrder, { type, data }: Movement): PayableOrder {
  switch (type) {
    case 'OrderPartlyPaid':
      return { ...state, status: 'partially_paid', amountPaid: data.amountPaid };
    case 'OrderConfirming':
      return { ...state, status: 'confirming', amountPaid: data.amountPaid };
    case 'OrderPaid':
      return { ...state, status: 'paid', amountPaid: data.amountPaid, paidAt: data.at };
    case 'OrderFailed':
      return { ...withChecks(state, data), status: 'failed', failedAt: data.at, failureReason: data.reason };
    case 'OrderExpired':
      return { ...withChecks(state, data), status: 'expired', failedAt: data.at, failureReason: data.reason };
    case 'OrderCancelled':
      return { ...withChecks(state, data), status: 'cancelled' };
  }
}

const withChecks = (state: PayableOrder, { checksAt }: Pick<PayableOrder, 'checksAt'>): PayableOrder =>
  checksAt === undefined ? state : { ...state, checksAt };

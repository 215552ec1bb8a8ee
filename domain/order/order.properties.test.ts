import assert from 'node:assert/strict';
import fc from 'fast-check';
import { validateEvent } from '../../commands/engine/recording.ts';
import { decimalText, unitsIn } from '../../contracts/decimal.ts';
import { orderEvents, type OrderEvent } from '../../contracts/events/order.ts';
import { processorStatuses, type ProcessorPayment } from '../../contracts/processor-payment.ts';
import { Refusal } from '../../contracts/problems.ts';
import { order, type OrderCommand } from './order.ts';
import { isPayable, isPlaced, type Order } from './state.ts';
import { commands, decimal, expiresAt, payment, sweepAt } from './testing.ts';

const time = fc.constantFrom('2026-01-05T12:00:00.000Z', expiresAt, sweepAt, '2026-03-01T00:00:00.000Z');

/** Answers of the processor: mostly about the requested payment, with amounts around it and far beyond 64 bits. */
const said: fc.Arbitrary<ProcessorPayment> = fc
  .record({
    paymentId: fc.constantFrom('5001', '5001', '5001', '5002', '6666'),
    status: fc.constantFrom(...processorStatuses, 'finished', 'finished', 'confirming'),
    payCurrency: fc.constantFrom('btc', 'btc', 'btc', 'eth'),
    price: fc.constantFrom('49', '49', '49', '48.99'),
    paid: fc.oneof(
      fc.constantFrom(100_000n, 100_000n, 99_999n, 0n, null),
      fc.bigInt({ min: 0n, max: 2n ** 80n }),
    ),
  })
  .map(({ paid, price, ...rest }) =>
    payment({
      ...rest,
      price: decimal(price),
      actuallyPaid: paid === null ? null : decimal(decimalText(paid, 8)),
    }),
  );

const command: fc.Arbitrary<OrderCommand> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ payment: said, at: time }).map(commands.ObservePayment) },
  fc.record({ at: time }).map(commands.PlaceOrder),
  fc.record({ attempt: fc.constantFrom(1, 1, 2), payment: said, at: time }).map(commands.RecordPayment),
  fc.record({ payCurrency: fc.constantFrom('btc', 'eth'), at: time }).map(commands.RequestPayment),
  fc.record({ at: time }).map(commands.CancelOrder),
  fc.record({ at: time }).map(commands.WithdrawOrder),
  fc.record({ by: fc.constantFrom('window', 'sweep', 'operator'), at: time }).map(commands.ExpireOrder),
  fc.record({ at: time }).map(commands.RecordCheck),
  fc.record({ at: time }).map(commands.ReviewErased),
);

interface Step {
  readonly command: OrderCommand;
  readonly before: Order;
  readonly after: Order;
  readonly events: readonly OrderEvent[];
}

/** In all but a few histories the order is placed and its payment requested. */
const histories = fc
  .tuple(fc.boolean(), fc.array(command, { maxLength: 25, size: 'max' }))
  .map(([isBegun, rest]) => (isBegun ? [commands.PlaceOrder(), commands.RecordPayment(), ...rest] : rest));

function tell(history: readonly OrderCommand[]): readonly Step[] {
  let state = order.initialState;
  return history.map((each) => {
    const before = state;
    const events = decided(each, before);
    state = events.reduce(order.evolve, before);
    return { command: each, before, after: state, events };
  });
}

function decided(each: OrderCommand, state: Order): readonly OrderEvent[] {
  try {
    return order.decide(each, state);
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}

const always = (check: (steps: readonly Step[]) => void): void =>
  fc.assert(
    fc.property(histories, (history) => check(tell(history))),
    { seed: 20260105, numRuns: 2000 },
  );
const eventsOf = (steps: readonly Step[]) => steps.flatMap(({ events }) => events);

describe('an order under any sequence of callbacks, requests and ends', () => {
  it('makes only events that their contract allows', () =>
    always((steps) => eventsOf(steps).forEach((event) => validateEvent(orderEvents, event))));

  it('is paid at most once, and ends once', () =>
    always((steps) => {
      const ends = eventsOf(steps).filter(({ type }) =>
        ['OrderPaid', 'OrderFailed', 'OrderExpired', 'OrderCancelled', 'OrderWithdrawn'].includes(type),
      );
      assert.ok(ends.length <= 1);
    }));

  it('is paid if and only if the processor confirms the requested payment in full, while the order is open', () =>
    always((steps) => {
      for (const { command: each, before, after, events } of steps) {
        const isPaid = events.some(({ type }) => type === 'OrderPaid');
        if (each.type !== 'ObservePayment') assert.equal(isPaid, false);
        else assert.equal(isPaid, pays(each.payment, before, after));
      }
    }));

  it('accounts for every received payment: it pays the order, is about to, or is under review', () =>
    always((steps) => {
      for (const { command: each, after } of steps) {
        if (each.type !== 'ObservePayment' || !isPlaced(after)) continue;
        const { paymentId, status, actuallyPaid } = each.payment;
        if (status !== 'finished' || (actuallyPaid?.units ?? 0n) === 0n) continue;
        const isOfOrder =
          isPayable(after) && after.status === 'paid' && after.payment.paymentId === paymentId;
        assert.ok(isOfOrder || after.reviews.some((review) => review.paymentId === paymentId));
      }
    }));

  it('is not paid with less than the requested amount', () =>
    always((steps) => {
      for (const { after } of steps)
        if (isPayable(after) && after.status === 'paid')
          assert.ok(BigInt(after.amountPaid) >= BigInt(after.payment.payAmount));
    }));

  it('never leaves confirming because of time', () =>
    always((steps) => {
      for (const { command: each, before, after } of steps)
        if (before.status === 'confirming' && each.type === 'ExpireOrder') assert.deepEqual(after, before);
    }));

  it('does nothing when the processor repeats its answer', () =>
    always((steps) => {
      for (const { command: each, after } of steps)
        if (each.type === 'ObservePayment') assert.deepEqual(decided(each, after), []);
    }));

  it('folds its events in any order without failing', () =>
    fc.assert(
      fc.property(
        histories.chain((history) => fc.shuffledSubarray([...eventsOf(tell(history))])),
        (events) => void events.reduce(order.evolve, order.initialState),
      ),
      { seed: 20260105, numRuns: 300 },
    ));
});

/** An independent check of the rule, by the payment requested at the time of the processor's answer. */
function pays(said: ProcessorPayment, before: Order, after: Order): boolean {
  if (said.status !== 'finished' || !isPayable(after) || !isPlaced(before)) return false;
  if (!['placed', 'pending', 'partially_paid', 'confirming'].includes(before.status)) return false;
  const { payment: asked } = after;
  const isPrice = said.priceCurrency === 'usd' && unitsIn(said.price, 3) === 49_000n;
  const isAsked = said.paymentId === asked.paymentId && said.payCurrency === asked.payCurrency;
  const paid = said.actuallyPaid && unitsIn(said.actuallyPaid, asked.payExponent);
  return isPrice && isAsked && (paid === null || paid >= BigInt(asked.payAmount));
}

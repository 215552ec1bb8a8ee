import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commands, deliveryId, events } from './testing.ts';
import type { WebhookEndpoint } from './state.ts';
import { webhookEndpoint, type Outcome } from './webhook-endpoint.ts';

const disableAfter = 4;

/** A log of outcomes, and how they are reported: in any order, some repeatedly, some in one command. */
const story = fc
  .array(fc.boolean(), { minLength: 1, maxLength: 25 })
  .map((log) =>
    log.map((succeeded, index): Outcome => ({
      deliveryId,
      attempt: 1,
      succeeded,
      position: BigInt(index + 1),
    })),
  )
  .chain((log) =>
    fc.record({
      log: fc.constant(log),
      reported: fc
        .tuple(fc.shuffledSubarray(log, { minLength: log.length }), fc.array(fc.constantFrom(...log)))
        .chain(([all, again]) =>
          fc.shuffledSubarray([...all, ...again], { minLength: all.length + again.length }),
        ),
      sizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
    }),
  );

const inPieces = <Item>(items: readonly Item[], sizes: readonly number[]): Item[][] => {
  const pieces: Item[][] = [];
  for (let from = 0; from < items.length; from += pieces.at(-1)?.length ?? 1)
    pieces.push(items.slice(from, from + (sizes[pieces.length % sizes.length] ?? 1)));
  return pieces;
};

const byPosition = (one: Outcome, other: Outcome): number => Number(one.position - other.position);

/** Number of failures after the last success. */
function byHand(reported: ReadonlySet<Outcome>): number {
  const inOrder = [...reported].toSorted(byPosition);
  return inOrder.length - 1 - inOrder.findLastIndex(({ succeeded }) => succeeded);
}

describe('consecutive failed attempts, reported in any order, again, and several at once', () => {
  it('always equal a count by hand of everything reported so far; too many disable permanently', () => {
    fc.assert(
      fc.property(story, ({ log, reported, sizes }) => {
        const counted = new Set<Outcome>();
        let isOver = false;
        let state: WebhookEndpoint = webhookEndpoint.evolve(
          webhookEndpoint.initialState,
          events.WebhookRegistered(),
        );
        for (const outcomes of inPieces(reported, sizes)) {
          for (const outcome of outcomes.toSorted(byPosition))
            isOver ||= byHand(counted.add(outcome)) >= disableAfter;
          const last = outcomes.reduce((latest, { position }) => (position > latest ? position : latest), 0n);
          const isIncomplete = log.some((each) => each.position < last && !counted.has(each));
          const command = commands.CountOutcomes({ outcomes, isIncomplete, disableAfter });
          state = webhookEndpoint.decide(command, state).reduce(webhookEndpoint.evolve, state);
          assert(state.status !== 'none');
          assert.equal(state.status, isOver ? 'disabled' : 'active');
          if (!isOver) assert.equal(state.failures.length, byHand(counted));
        }
      }),
    );
  });
});

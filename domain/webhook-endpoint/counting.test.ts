import { expect } from 'chai';
import fc from 'fast-check';
import type { WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import { deciderSpec } from '../testing/index.ts';
import { commands, events } from './examples.ts';
import { webhookEndpoint, type CountOutcome, type WebhookEndpoint } from './index.ts';

const { given } = deciderSpec(webhookEndpoint);
const registered = events.WebhookRegistered();
const failed = commands.CountOutcome;
const succeeded = (fields: Partial<CountOutcome> = {}): CountOutcome =>
  commands.CountOutcome({ succeeded: true, ...fields });

/** What a story of outcomes, each at its own place in the log, comes to. */
function told(outcomes: readonly CountOutcome[]): {
  readonly state: WebhookEndpoint;
  readonly decided: readonly WebhookEndpointEvent[];
} {
  const decided: WebhookEndpointEvent[] = [];
  let state = webhookEndpoint.evolve(webhookEndpoint.initialState, registered);
  for (const outcome of outcomes) {
    const more = webhookEndpoint.decide(outcome, state);
    decided.push(...more);
    state = more.reduce(webhookEndpoint.evolve, state);
  }
  return { state, decided };
}

/** `true` for a success; one outcome after the other in the log. */
const inOrder = (pattern: readonly boolean[], disableAfter = 50): CountOutcome[] =>
  pattern.map((isSuccess, index) =>
    commands.CountOutcome({ succeeded: isSuccess, position: BigInt(index + 1) * 100n, disableAfter }),
  );
const times = (count: number, isSuccess: boolean): boolean[] =>
  Array.from({ length: count }, () => isSuccess);
const counted = ({ state }: ReturnType<typeof told>): [string, number] => [
  state.status,
  state.status === 'none' ? 0 : state.consecutiveFailures,
];

describe('the count of failed attempts in a row', () => {
  it('goes up with each failure', () => {
    given(registered).when(failed()).then(events.WebhookFailureCounted());
    given(registered, events.WebhookFailureCounted())
      .when(failed({ position: 200n }))
      .then(events.WebhookFailureCounted({ consecutive: 2, position: '200' }));
  });

  it('is cleared by any success, which says nothing when there is nothing to clear', () => {
    given(registered, events.WebhookFailureCounted())
      .when(succeeded({ position: 200n }))
      .then(events.WebhookFailuresCleared({ position: '200' }));
    given(registered).when(succeeded()).nothing();
  });

  it('disables the endpoint at fifty, once and for good', () => {
    expect(counted(told(inOrder(times(49, false))))).to.deep.equal(['active', 49]);
    const story = told(inOrder([...times(60, false), true, false]));
    expect(counted(story)).to.deep.equal(['disabled', 50]);
    expect(story.decided.filter(({ type }) => type === 'WebhookDisabled')).to.deep.equal([
      events.WebhookDisabled(),
    ]);
  });

  it('does not disable at 49 failures, a success and 49 failures', () => {
    const story = told(inOrder([...times(49, false), true, ...times(49, false)]));
    expect(counted(story)).to.deep.equal(['active', 49]);
  });

  it('counts an outcome once, however often it is told', () => {
    given(registered, events.WebhookFailureCounted()).when(failed()).nothing();
    given(registered, events.WebhookFailureCounted()).when(succeeded()).nothing();
    const outcomes = inOrder([...times(3, false), true, ...times(2, false)]);
    const repeated = outcomes.flatMap((_, index) => outcomes.slice(Math.max(0, index - 4), index + 1));
    expect(counted(told(repeated))).to.deep.equal(['active', 2]);
  });

  it('goes by the place in the log: what comes after something later has been counted changes nothing', () => {
    const cleared = [events.WebhookFailureCounted(), events.WebhookFailuresCleared({ position: '900' })];
    given(registered, ...cleared)
      .when(failed({ position: 899n }))
      .nothing();
    given(registered, ...cleared)
      .when(failed({ position: 901n }))
      .then(events.WebhookFailureCounted({ position: '901' }));
  });

  it('compares places as numbers, not as text, beyond what a double holds', () => {
    const last = events.WebhookFailureCounted({ position: '9007199254740993' });
    given(registered, last)
      .when(failed({ position: 9_007_199_254_740_992n }))
      .nothing();
    given(registered, last)
      .when(failed({ position: 9_007_199_254_740_994n }))
      .then(events.WebhookFailureCounted({ consecutive: 2, position: '9007199254740994' }));
    given(registered, events.WebhookFailureCounted({ position: '1000' }))
      .when(failed({ position: 999n }))
      .nothing();
  });

  it('stands still once the endpoint is disabled or deleted, and before it is there', () => {
    given().when(failed()).nothing();
    given(registered, events.WebhookDisabled()).when(failed()).nothing();
    given(registered, events.WebhookDisabled()).when(succeeded()).nothing();
    given(registered, events.WebhookDeleted()).when(failed()).nothing();
  });

  it('disables at once when the limit was lowered below it', () => {
    given(registered, events.WebhookFailureCounted({ consecutive: 30 }))
      .when(failed({ position: 200n, disableAfter: 10 }))
      .then(
        events.WebhookFailureCounted({ consecutive: 31, position: '200' }),
        events.WebhookDisabled({ consecutive: 31 }),
      );
  });

  it('is what counting the log by hand gives, whatever of it is told again', () => {
    const story = fc.tuple(fc.array(fc.boolean(), { maxLength: 60 }), fc.array(fc.nat(), { maxLength: 10 }));
    fc.assert(
      fc.property(story, ([pattern, again]) => {
        const outcomes = inOrder(pattern, 4);
        // Told again is always a stretch that ends where the log was read to: a subscription resumes further back.
        const heard = outcomes.flatMap((outcome, index) => {
          const back = again[index % (again.length || 1)] ?? 0;
          return [...outcomes.slice(index - (back % (index + 1)), index), outcome];
        });
        expect(counted(told(heard))).to.deep.equal(byHand(pattern, 4));
      }),
    );
  });
});

function byHand(pattern: readonly boolean[], disableAfter: number): [string, number] {
  let inARow = 0;
  for (const isSuccess of pattern) {
    inARow = isSuccess ? 0 : inARow + 1;
    if (inARow === disableAfter) return ['disabled', inARow];
  }
  return ['active', inARow];
}

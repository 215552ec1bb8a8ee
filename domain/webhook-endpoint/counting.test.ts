import { expect } from 'chai';
import type { WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import { deciderSpec } from '../testing/index.ts';
import { commands, deliveryId, events } from './testing.ts';
import type { WebhookEndpoint } from './state.ts';
import { webhookEndpoint, type CountOutcomes } from './webhook-endpoint.ts';

const { given } = deciderSpec(webhookEndpoint);
const registered = events.WebhookRegistered();

type Facts = Partial<Omit<CountOutcomes, 'type' | 'outcomes'>>;

/** A command that reports one outcome. */
const one = (succeeded: boolean, position: bigint, facts: Facts = {}): CountOutcomes =>
  commands.CountOutcomes({ outcomes: [{ deliveryId, attempt: 1, succeeded, position }], ...facts });
const failed = (position = 100n, facts?: Facts): CountOutcomes => one(false, position, facts);
const succeeded = (position = 100n, facts?: Facts): CountOutcomes => one(true, position, facts);
const counted = (position: string, consecutive: number) =>
  events.WebhookFailureCounted({ consecutive, position });

/** A command that reports several outcomes in the order of the log, `true` for a success. */
const several = (pattern: readonly boolean[]): CountOutcomes =>
  commands.CountOutcomes({
    outcomes: pattern.map((isSuccess, index) => ({
      deliveryId,
      attempt: 1,
      succeeded: isSuccess,
      position: BigInt(index + 1) * 100n,
    })),
  });
const times = (count: number, isSuccess: boolean): boolean[] =>
  Array.from({ length: count }, () => isSuccess);

function after(...history: readonly CountOutcomes[]): {
  readonly reached: readonly [string, number];
  readonly decided: readonly WebhookEndpointEvent[];
} {
  const decided: WebhookEndpointEvent[] = [];
  let state: WebhookEndpoint = webhookEndpoint.evolve(webhookEndpoint.initialState, registered);
  for (const command of history) {
    const more = webhookEndpoint.decide(command, state);
    decided.push(...more);
    state = more.reduce(webhookEndpoint.evolve, state);
  }
  return { reached: [state.status, state.status === 'none' ? 0 : state.failures.length], decided };
}

describe('the count of failed attempts in a row', () => {
  it('goes up with each failure', () => {
    given(registered).when(failed()).then(counted('100', 1));
    given(registered, counted('100', 1)).when(failed(200n)).then(counted('200', 2));
  });

  it('is cleared by any success, which makes no event if there is nothing to clear', () => {
    given(registered, counted('100', 1))
      .when(succeeded(200n))
      .then(events.WebhookFailuresCleared({ position: '200' }));
    given(registered).when(succeeded()).nothing();
  });

  it('disables the endpoint at fifty, once and permanently', () => {
    expect(after(several(times(49, false))).reached).to.deep.equal(['active', 49]);
    const { reached, decided } = after(several([...times(60, false), true, false]));
    expect(reached).to.deep.equal(['disabled', 50]);
    expect(decided.filter(({ type }) => type === 'WebhookDisabled')).to.deep.equal([
      events.WebhookDisabled(),
    ]);
  });

  it('does not disable at 49 failures, a success and 49 failures', () => {
    const outcomes = [...times(49, false), true, ...times(49, false)];
    expect(after(several(outcomes)).reached).to.deep.equal(['active', 49]);
  });

  it('records each failure and each success that clears, also when several are reported at once', () => {
    const { decided } = after(several([true, false, true, true, false, false]));
    expect(decided).to.deep.equal([
      counted('200', 1),
      events.WebhookFailuresCleared({ position: '300' }),
      counted('500', 1),
      counted('600', 2),
    ]);
  });

  it('counts an outcome once, however often it is reported', () => {
    given(registered, counted('100', 1)).when(failed()).nothing();
    const outcomes = several([false, false, false, true, false, false]);
    expect(after(outcomes, outcomes)).to.deep.equal(after(outcomes));
  });

  it('follows positions in the log: a failure that is reported late counts unless a later success has cleared it', () => {
    given(registered, counted('200', 1)).when(failed(100n)).then(counted('100', 2));
    const cleared = events.WebhookFailuresCleared({ position: '900' });
    given(registered, counted('200', 1), cleared).when(failed(899n)).nothing();
    given(registered, counted('200', 1), cleared).when(failed(901n)).then(counted('901', 1));
    given(registered, cleared).when(succeeded(899n)).nothing();
  });

  it('keeps the failures after a success that is reported late, and says how many', () => {
    given(registered, counted('100', 1), counted('300', 2), counted('400', 3))
      .when(succeeded(200n))
      .then(events.WebhookFailuresCleared({ position: '200', left: 2 }));
    given(registered, counted('300', 1)).when(succeeded(200n)).nothing();
  });

  it('records a success that clears nothing while earlier outcomes may still be reported', () => {
    const cleared = events.WebhookFailuresCleared({ position: '200' });
    given(registered)
      .when(succeeded(200n, { isIncomplete: true }))
      .then(cleared);
    given(registered, cleared).when(failed(100n)).nothing();
  });

  it('compares positions as numbers, not as text, beyond what a double holds', () => {
    const cleared = events.WebhookFailuresCleared({ position: '9007199254740993' });
    given(registered, cleared).when(failed(9_007_199_254_740_992n)).nothing();
    given(registered, cleared).when(failed(9_007_199_254_740_994n)).then(counted('9007199254740994', 1));
    given(registered, counted('1000', 1)).when(succeeded(999n)).nothing();
  });

  it('does not change once the endpoint is disabled or deleted, or before it is registered', () => {
    given().when(failed()).nothing();
    given(registered, events.WebhookDisabled()).when(failed()).nothing();
    given(registered, events.WebhookDisabled()).when(succeeded()).nothing();
    given(registered, events.WebhookDeleted()).when(failed()).nothing();
  });

  it('disables at once when the limit was lowered below it', () => {
    const three = [counted('100', 1), counted('200', 2), counted('300', 3)];
    given(registered, ...three)
      .when(failed(400n, { disableAfter: 2 }))
      .then(counted('400', 4), events.WebhookDisabled({ consecutive: 4 }));
  });
});

import { expect } from 'chai';
import { events, on } from '../../domain/webhook-endpoint/testing.ts';
import type { WebhookEndpoint } from '../../domain/webhook-endpoint/state.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import type { WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { collectHistory, typesBefore } from './subscriptions.ts';

describe('the past subscriptions of an endpoint', () => {
  const place = (commit: number, prepare = commit): Position => ({
    commit: BigInt(commit),
    prepare: BigInt(prepare),
  });
  const { WebhookRegistered, WebhookChanged, WebhookFailureCounted, WebhookDisabled, WebhookDeleted } =
    events;
  const story: readonly WebhookEndpointEvent[] = [
    WebhookRegistered(),
    WebhookFailureCounted(),
    WebhookChanged({ at: on(2) }),
    WebhookDisabled(),
    WebhookDeleted(),
  ];

  /** Each event is ten positions after the previous one. */
  function historyOf(from = 0, known?: { readonly state: WebhookEndpoint; readonly after: Position }) {
    const { add, history } = collectHistory(known);
    story.slice(from).forEach((event, index) => add(event, place((from + index + 1) * 10)));
    return history();
  }
  const first = ['session.completed', 'session.failed'];
  const changed = ['api_key.revoked'];

  it('are empty up to and including the position of its registration', () => {
    expect(typesBefore(historyOf(), place(1))).to.deep.equal([]);
    expect(typesBefore(historyOf(), place(10))).to.deep.equal([]);
    expect(typesBefore(historyOf(), place(10, 11))).to.deep.equal(first);
  });

  it('change behind the position of a change, and end with the endpoint', () => {
    const types = [11, 30, 31, 40, 41, 51].map((at) => typesBefore(historyOf(), place(at)));
    expect(types).to.deep.equal([first, first, changed, changed, [], []]);
  });

  it('are unknown before the state with which the history begins', () => {
    const state = story.slice(0, 2).reduce(webhookEndpoint.evolve, webhookEndpoint.initialState);
    const history = historyOf(2, { state, after: place(20) });
    expect(typesBefore(history, place(20))).to.equal(undefined);
    expect([21, 31, 41].map((at) => typesBefore(history, place(at)))).to.deep.equal([first, changed, []]);
  });
});

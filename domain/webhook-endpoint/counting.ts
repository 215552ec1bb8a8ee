import type { WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import type { CountOutcomes, Outcome } from './commands.ts';
import { evolve } from './evolve.ts';
import { failuresAfter, type WebhookEndpoint } from './state.ts';

type Facts = Pick<CountOutcomes, 'isIncomplete' | 'disableAfter' | 'at'>;
type Counted = readonly WebhookEndpointEvent[];

/** Failed attempts in a row by their places in the log, whatever order they were made or are told in, each once. */
export function countOutcomes(state: WebhookEndpoint, { outcomes, ...facts }: CountOutcomes): Counted {
  const counted: WebhookEndpointEvent[] = [];
  let reached = state;
  for (const outcome of outcomes.toSorted(byPlace)) {
    const more = countOutcome(reached, outcome, facts);
    counted.push(...more);
    reached = more.reduce(evolve, reached);
  }
  return counted;
}

const byPlace = (one: Outcome, other: Outcome): number => Number(one.position - other.position);

/** A success clears what failed before it. Whatever stands before the last success that cleared is over. */
function countOutcome(state: WebhookEndpoint, outcome: Outcome, facts: Facts): Counted {
  if (state.status !== 'active' || outcome.position <= BigInt(state.clearedTo)) return [];
  const { webhookId, accountId, failures } = state;
  const { deliveryId, attempt, succeeded } = outcome;
  const { isIncomplete, disableAfter, at } = facts;
  const position = String(outcome.position);
  const of = { webhookId, deliveryId, attempt, position, at };
  if (succeeded) {
    const left = failuresAfter(failures, outcome.position).length;
    if (left === failures.length && !isIncomplete) return [];
    return [{ type: 'WebhookFailuresCleared', data: { ...of, ...(left > 0 && { left }) } }];
  }
  if (failures.includes(position)) return [];
  const consecutive = failures.length + 1;
  const counted = { type: 'WebhookFailureCounted', data: { ...of, accountId, consecutive } } as const;
  if (consecutive < disableAfter) return [counted];
  return [counted, { type: 'WebhookDisabled', data: { webhookId, accountId, consecutive, at } }];
}

import { webhookEndpointEvents, type WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import type { AccountId, WebhookDeliveryId, WebhookId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { SubscribableEventType } from '../../contracts/webhooks/event-types.ts';
import { decideBy, type CommandOf, type CommandsOf, type Decider, type Rules } from '../kit/decider.ts';
import { tooLate } from '../kit/record.ts';
import { isBefore } from '../kit/time.ts';
import { evolve, failuresAfter, type ExistingWebhook, type Recorded, type WebhookEndpoint } from './state.ts';

/** The recorded outcome of a delivery attempt. */
export interface Outcome {
  readonly deliveryId: WebhookDeliveryId;
  readonly attempt: number;
  readonly succeeded: boolean;
  /** Its commit position. */
  readonly position: bigint;
}

export type WebhookEndpointCommand = CommandsOf<{
  RegisterWebhook: Omit<Recorded<'WebhookRegistered'>, 'events'> & {
    events: readonly SubscribableEventType[];
  };
  /** Undefined fields stay as they are. */
  ChangeWebhook: {
    events: readonly SubscribableEventType[] | undefined;
    description: string | null | undefined;
  };
  RotateSecret: Omit<Recorded<'WebhookSecretRotated'>, 'webhookId'>;
  /** The id is chosen once per request, so that a repeated request is one test. */
  RequestTest: { testId: string; triggeredBy: AccountId };
  /** Counts outcomes, in any order, including already counted ones. */
  CountOutcomes: {
    outcomes: readonly Outcome[];
    /**
     * Outcomes of lower positions may still be reported: a success is then recorded even if it clears nothing, so
     * that they do not count.
     */
    isIncomplete: boolean;
    /** The number of consecutive failures that disables the endpoint. */
    disableAfter: number;
  };
  DeleteWebhook: unknown;
  WithdrawWebhook: { webhookId: WebhookId; accountId: AccountId };
  MarkSecretAged: unknown;
  MarkGraceEnding: unknown;
}>;
export type CountOutcomes = CommandOf<WebhookEndpointCommand, 'CountOutcomes'>;

type Decision = readonly WebhookEndpointEvent[];

const rules: Rules<WebhookEndpoint, WebhookEndpointCommand, WebhookEndpointEvent> = {
  RegisterWebhook(state, { type: _, ...data }) {
    if (state.status !== 'none') return [];
    if (state.isWithdrawn) throw tooLate();
    return [{ type: 'WebhookRegistered', data: { ...data, events: [...data.events] } }];
  },
  /** A disabled endpoint may be changed, and stays disabled. */
  ChangeWebhook(state, { events, description, at }) {
    const current = present(state);
    const next = {
      events: [...(events ?? current.events)],
      description: description === undefined ? current.description : description,
    };
    const isSame =
      next.description === current.description &&
      next.events.length === current.events.length &&
      next.events.every((type, index) => type === current.events[index]);
    const { webhookId } = current;
    return isSame ? [] : [{ type: 'WebhookChanged', data: { webhookId, ...next, at } }];
  },
  /**
   * Refused during the grace period of the previous rotation, because three secrets would sign, and on a disabled endpoint.
   * Rotating to the same secret again does nothing.
   */
  RotateSecret(state, { secret, graceEndsAt, graceNoticeAt, at }) {
    const endpoint = present(state);
    const { webhookId, previousSecret } = endpoint;
    if (endpoint.secret.secretId === secret.secretId) return [];
    assertEnabled(endpoint);
    if (previousSecret !== null && isBefore(at, previousSecret.graceEndsAt)) {
      const until = previousSecret.graceEndsAt;
      throw refuse('conflict', `The secret was already rotated; the previous one signs until ${until}.`);
    }
    return [{ type: 'WebhookSecretRotated', data: { webhookId, secret, graceEndsAt, graceNoticeAt, at } }];
  },
  RequestTest(state, { testId, triggeredBy, at }) {
    const endpoint = present(state);
    if (testId === endpoint.lastTestId) return [];
    assertEnabled(endpoint);
    const { webhookId, accountId } = endpoint;
    return [{ type: 'WebhookTestRequested', data: { webhookId, accountId, testId, triggeredBy, at } }];
  },
  CountOutcomes: countOutcomes,
  DeleteWebhook(state, { at }) {
    if (state.status === 'none') throw refuse('not-found');
    const { status, webhookId, accountId } = state;
    return status === 'deleted' ? [] : [{ type: 'WebhookDeleted', data: { webhookId, accountId, at } }];
  },
  WithdrawWebhook: (state, { webhookId, accountId, at }) =>
    state.status === 'none' && !state.isWithdrawn
      ? [{ type: 'WebhookWithdrawn', data: { webhookId, accountId, at } }]
      : [],
  /** At most once per secret, and not before the reminder is due. */
  MarkSecretAged(state, { at }) {
    if (state.status !== 'active') return [];
    const { webhookId, accountId, secret } = state;
    if (secret.isAged || isBefore(at, secret.remindAt)) return [];
    return [{ type: 'WebhookSecretAged', data: { webhookId, accountId, secretId: secret.secretId, at } }];
  },
  /** At most once per rotation, and not before it is due. A late mark is recorded too, or its timer would stay due for ever. */
  MarkGraceEnding(state, { at }) {
    if (state.status !== 'active' || state.previousSecret === null) return [];
    const { webhookId, accountId } = state;
    const { secretId, graceNoticeAt, graceEndsAt, isEnding } = state.previousSecret;
    if (isEnding || isBefore(at, graceNoticeAt)) return [];
    return [{ type: 'WebhookGraceEnding', data: { webhookId, accountId, secretId, graceEndsAt, at } }];
  },
};

/**
 * One webhook endpoint.
 *
 * | state            | event             | next     |
 * |------------------|-------------------|----------|
 * | none             | WebhookRegistered | active   |
 * | none             | WebhookWithdrawn  | none     |
 * | active           | WebhookDisabled   | disabled |
 * | active, disabled | WebhookDeleted    | deleted  |
 *
 * - `disabled` is for good: a disabled endpoint can be changed and deleted, never enabled.
 * - At most two secrets sign at any time: the current one and, until its grace period ends, the one before it.
 * - Consecutive failures are counted by their positions in the log, whatever order they are made or reported in.
 */
export const webhookEndpoint: Decider<WebhookEndpoint, WebhookEndpointCommand, WebhookEndpointEvent> = {
  category: webhookEndpointEvents,
  initialState: { status: 'none' },
  decide: decideBy(rules),
  evolve,
  snapshotEvery: 200,
  stateVersion: 2,
};

/** Throws `not-found` for a deleted endpoint, as for a missing one. */
export function present(state: WebhookEndpoint): ExistingWebhook {
  if (state.status === 'none' || state.status === 'deleted') throw refuse('not-found');
  return state;
}

/** Throws `conflict` for a disabled endpoint. */
export function assertEnabled({ status }: ExistingWebhook): void {
  if (status !== 'disabled') return;
  throw refuse(
    'conflict',
    'The endpoint is disabled: too many attempts in a row failed. Create a new endpoint for the address.',
  );
}

/** Counts outcomes of deliveries, each once, by its position in the log. */
function countOutcomes(state: WebhookEndpoint, { outcomes, ...limits }: CountOutcomes): Decision {
  const counted: WebhookEndpointEvent[] = [];
  let reached = state;
  for (const outcome of outcomes.toSorted(byPosition)) {
    const more = countOutcome(reached, outcome, limits);
    counted.push(...more);
    reached = more.reduce(evolve, reached);
  }
  return counted;
}

const byPosition = (one: Outcome, other: Outcome): number => Number(one.position - other.position);

/** A success clears the failures before it. Outcomes before the latest success that cleared any no longer count. */
function countOutcome(
  state: WebhookEndpoint,
  outcome: Outcome,
  { isIncomplete, disableAfter, at }: Pick<CountOutcomes, 'isIncomplete' | 'disableAfter' | 'at'>,
): Decision {
  if (state.status !== 'active' || outcome.position <= BigInt(state.clearedTo)) return [];
  const { webhookId, accountId, failures } = state;
  const { deliveryId, attempt, succeeded } = outcome;
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

import { webhookEndpointEvents, type WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import type { AccountId, WebhookDeliveryId, WebhookId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { SubscribableEventType } from '../../contracts/webhooks/event-types.ts';
import type { Command, Decider } from '../kit/decider.ts';
import {
  evolve,
  failuresAfter,
  type ExistingWebhook,
  type SealedSecret,
  type WebhookEndpoint,
} from './state.ts';

export type RegisterWebhook = Command<
  'RegisterWebhook',
  {
    webhookId: WebhookId;
    accountId: AccountId;
    url: string;
    events: readonly SubscribableEventType[];
    description: string | null;
    secret: SealedSecret;
  }
>;
/** An undefined field is left as it is. */
export type ChangeWebhook = Command<
  'ChangeWebhook',
  { events: readonly SubscribableEventType[] | undefined; description: string | null | undefined }
>;
export type RotateSecret = Command<
  'RotateSecret',
  { secret: SealedSecret; graceEndsAt: string; graceNoticeAt: string }
>;
/** The id is chosen once per request, so that a repeated request is one test. */
export type RequestTest = Command<'RequestTest', { testId: string; triggeredBy: AccountId }>;

/** The recorded outcome of a delivery attempt. */
export interface Outcome {
  readonly deliveryId: WebhookDeliveryId;
  readonly attempt: number;
  readonly succeeded: boolean;
  /** Its commit position. */
  readonly position: bigint;
}
/** Counts outcomes, in any order and whether or not some were counted before. */
export type CountOutcomes = Command<
  'CountOutcomes',
  {
    outcomes: readonly Outcome[];
    /** Outcomes of lower positions are still to come: a success must be remembered for them. */
    isIncomplete: boolean;
    /** The number of consecutive failures that disables the endpoint. */
    disableAfter: number;
  }
>;
export type DeleteWebhook = Command<'DeleteWebhook'>;
export type MarkSecretAged = Command<'MarkSecretAged'>;
export type MarkGraceEnding = Command<'MarkGraceEnding'>;

export type WebhookEndpointCommand =
  | RegisterWebhook
  | ChangeWebhook
  | RotateSecret
  | RequestTest
  | CountOutcomes
  | DeleteWebhook
  | MarkSecretAged
  | MarkGraceEnding;

type Decision = readonly WebhookEndpointEvent[];

/**
 * One webhook endpoint.
 *
 * | state            | event             | next     |
 * |------------------|-------------------|----------|
 * | none             | WebhookRegistered | active   |
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
  decide,
  evolve,
  snapshotEvery: 200,
  stateVersion: 2,
};

function decide(command: WebhookEndpointCommand, state: WebhookEndpoint): Decision {
  switch (command.type) {
    case 'RegisterWebhook':
      return register(state, command);
    case 'ChangeWebhook':
      return change(state, command);
    case 'RotateSecret':
      return rotateSecret(state, command);
    case 'RequestTest':
      return requestTest(state, command);
    case 'CountOutcomes':
      return countOutcomes(state, command);
    case 'DeleteWebhook':
      return remove(state, command);
    case 'MarkSecretAged':
      return markSecretAged(state, command);
    case 'MarkGraceEnding':
      return markGraceEnding(state, command);
  }
}

/** A deleted endpoint is as unknown as one that never existed. */
function existing(state: WebhookEndpoint): ExistingWebhook {
  if (state.status === 'none' || state.status === 'deleted') throw refuse('not-found');
  return state;
}

function register(state: WebhookEndpoint, { type: _, ...data }: RegisterWebhook): Decision {
  if (state.status !== 'none') return [];
  return [{ type: 'WebhookRegistered', data: { ...data, events: [...data.events] } }];
}

/** A disabled endpoint may be changed, and stays disabled. */
function change(state: WebhookEndpoint, { events, description, at }: ChangeWebhook): Decision {
  const current = existing(state);
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
}

/**
 * Refused during the grace period of the rotation before, or three secrets would sign, and on a disabled endpoint, which is
 * sent nothing any more. Rotating to the same secret again does nothing.
 */
function rotateSecret(
  state: WebhookEndpoint,
  { secret, graceEndsAt, graceNoticeAt, at }: RotateSecret,
): Decision {
  const { status, webhookId, previousSecret, secret: current } = existing(state);
  if (current.secretId === secret.secretId) return [];
  if (status === 'disabled') throw refuse('conflict', disabledText);
  if (previousSecret !== null && Date.parse(at) < Date.parse(previousSecret.graceEndsAt)) {
    throw refuse(
      'conflict',
      `The secret was rotated already; the one before it signs until ${previousSecret.graceEndsAt}.`,
    );
  }
  return [{ type: 'WebhookSecretRotated', data: { webhookId, secret, graceEndsAt, graceNoticeAt, at } }];
}

function requestTest(state: WebhookEndpoint, { testId, triggeredBy, at }: RequestTest): Decision {
  const { status, webhookId, accountId, lastTestId } = existing(state);
  if (testId === lastTestId) return [];
  if (status === 'disabled') throw refuse('conflict', disabledText);
  return [{ type: 'WebhookTestRequested', data: { webhookId, accountId, testId, triggeredBy, at } }];
}

/** The refusal of a request to send something to a disabled endpoint. */
export const disabledText =
  'The endpoint is disabled: too many attempts in a row failed. Create a new endpoint for the address.';

function remove(state: WebhookEndpoint, { at }: DeleteWebhook): Decision {
  if (state.status === 'none') throw refuse('not-found');
  if (state.status === 'deleted') return [];
  const { webhookId, accountId } = state;
  return [{ type: 'WebhookDeleted', data: { webhookId, accountId, at } }];
}

/** At most once per secret, and not before the reminder is due. */
function markSecretAged(state: WebhookEndpoint, { at }: MarkSecretAged): Decision {
  if (state.status !== 'active') return [];
  const { webhookId, accountId, secret } = state;
  if (secret.isAged || Date.parse(at) < Date.parse(secret.remindAt)) return [];
  return [{ type: 'WebhookSecretAged', data: { webhookId, accountId, secretId: secret.secretId, at } }];
}

/** At most once per rotation, and not before it is due. A late mark is recorded too, or its timer would stay due for ever. */
function markGraceEnding(state: WebhookEndpoint, { at }: MarkGraceEnding): Decision {
  if (state.status !== 'active' || state.previousSecret === null) return [];
  const { webhookId, accountId } = state;
  const { secretId, graceNoticeAt, graceEndsAt, isEnding } = state.previousSecret;
  if (isEnding || Date.parse(at) < Date.parse(graceNoticeAt)) return [];
  return [{ type: 'WebhookGraceEnding', data: { webhookId, accountId, secretId, graceEndsAt, at } }];
}

/** Each outcome is counted once, at its position in the log. */
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

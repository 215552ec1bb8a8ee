import type { SealedSecret, WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import type { SubscribableEventType } from '../../contracts/webhooks/event-types.ts';
import type { DataOf } from '../kit/decider.ts';

export type { SealedSecret };
export type Recorded<Type extends WebhookEndpointEvent['type']> = DataOf<WebhookEndpointEvent, Type>;

/** The current secret. */
export interface SigningSecret extends SealedSecret {
  readonly createdAt: string;
  /** Whether its owner has been reminded to rotate it. */
  readonly isAged: boolean;
}

/** The secret before the latest rotation, which also signs until its grace period ends. */
export interface PreviousSecret extends SealedSecret {
  readonly graceEndsAt: string;
  readonly graceNoticeAt: string;
  /** Whether its owner has been notified that the grace period is about to end. */
  readonly isEnding: boolean;
}

export interface ExistingWebhook extends Readonly<
  Omit<Recorded<'WebhookRegistered'>, 'events' | 'secret' | 'at'>
> {
  readonly status: 'active' | 'disabled' | 'deleted';
  readonly events: readonly SubscribableEventType[];
  readonly secret: SigningSecret;
  readonly previousSecret: PreviousSecret | null;
  /** Commit positions of the consecutive failed attempts, in the order they were counted. */
  readonly failures: readonly string[];
  /** Commit position of the latest success that cleared failures. */
  readonly clearedTo: string;
  readonly disabledAt: string | null;
  readonly lastTestId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Withdrawn: its reservation was released for another endpoint before it was registered, so it can no longer be. */
export type WebhookEndpoint = { readonly status: 'none'; readonly isWithdrawn?: true } | ExistingWebhook;

/** The failures that a success at this commit position does not clear. */
export const failuresAfter = (failures: readonly string[], position: bigint): readonly string[] =>
  failures.filter((failure) => BigInt(failure) > position);

/** The secrets that sign at a given time, newest first. A secret no longer signs at the instant its grace period ends. */
export function signingSecrets(
  { secret, previousSecret }: ExistingWebhook,
  at: Date,
): readonly SealedSecret[] {
  const isInGrace = previousSecret !== null && at.getTime() < Date.parse(previousSecret.graceEndsAt);
  return isInGrace ? [secret, previousSecret] : [secret];
}

export function evolve(state: WebhookEndpoint, event: WebhookEndpointEvent): WebhookEndpoint {
  if (event.type === 'WebhookWithdrawn')
    return state.status === 'none' ? { status: 'none', isWithdrawn: true } : state;
  if (state.status === 'none')
    return event.type === 'WebhookRegistered' && !state.isWithdrawn ? registered(event.data) : state;
  return state.status === 'deleted' ? state : changed(state, event);
}

/** Counts, tests and reminders leave `updatedAt` as it is. */
function changed(
  state: ExistingWebhook,
  { type, data }: Exclude<WebhookEndpointEvent, { type: 'WebhookWithdrawn' }>,
): ExistingWebhook {
  switch (type) {
    case 'WebhookRegistered':
      return state;
    case 'WebhookChanged':
      return { ...state, events: data.events, description: data.description, updatedAt: data.at };
    case 'WebhookSecretRotated':
      return rotated(state, data);
    case 'WebhookTestRequested':
      return { ...state, lastTestId: data.testId };
    case 'WebhookFailureCounted':
      return { ...state, failures: [...state.failures, data.position] };
    case 'WebhookFailuresCleared': {
      const { position } = data;
      return { ...state, failures: failuresAfter(state.failures, BigInt(position)), clearedTo: position };
    }
    case 'WebhookDisabled': {
      const disabledAt = state.disabledAt ?? data.at;
      return { ...state, status: 'disabled', disabledAt, updatedAt: data.at };
    }
    case 'WebhookDeleted':
      return { ...state, status: 'deleted', updatedAt: data.at };
    case 'WebhookSecretAged':
      return aged(state, data);
    case 'WebhookGraceEnding':
      return graceEnding(state, data);
  }
}

const signing = (secret: SealedSecret, createdAt: string): SigningSecret => ({
  ...secret,
  createdAt,
  isAged: false,
});

function registered({ secret, at, ...data }: Recorded<'WebhookRegistered'>): ExistingWebhook {
  return {
    ...data,
    status: 'active',
    secret: signing(secret, at),
    previousSecret: null,
    failures: [],
    clearedTo: '0',
    disabledAt: null,
    lastTestId: null,
    createdAt: at,
    updatedAt: at,
  };
}

function rotated(
  state: ExistingWebhook,
  { secret, graceEndsAt, graceNoticeAt, at }: Recorded<'WebhookSecretRotated'>,
): ExistingWebhook {
  const { secretId, sealed, remindAt } = state.secret;
  return {
    ...state,
    secret: signing(secret, at),
    previousSecret: { secretId, sealed, remindAt, graceEndsAt, graceNoticeAt, isEnding: false },
    updatedAt: at,
  };
}

function aged(state: ExistingWebhook, { secretId }: Recorded<'WebhookSecretAged'>): ExistingWebhook {
  const { secret } = state;
  return secret.secretId === secretId ? { ...state, secret: { ...secret, isAged: true } } : state;
}

function graceEnding(state: ExistingWebhook, { secretId }: Recorded<'WebhookGraceEnding'>): ExistingWebhook {
  const { previousSecret } = state;
  if (previousSecret?.secretId !== secretId) return state;
  return { ...state, previousSecret: { ...previousSecret, isEnding: true } };
}

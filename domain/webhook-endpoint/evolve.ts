import type { WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import {
  failuresAfter,
  type ExistingWebhook,
  type SealedSecret,
  type SigningSecret,
  type WebhookEndpoint,
} from './state.ts';

type DataOf = { readonly [Event in WebhookEndpointEvent as Event['type']]: Event['data'] };
type EventType = keyof DataOf;
type EventOf<Type extends EventType> = {
  [Each in Type]: { readonly type: Each; readonly data: DataOf[Each] };
}[Type];

/** An event that does not fit the status (none is ever decided) leaves the state as it was: what is deleted stays so. */
export function evolve(state: WebhookEndpoint, event: WebhookEndpointEvent): WebhookEndpoint {
  if (state.status === 'none') return event.type === 'WebhookRegistered' ? registered(event.data) : state;
  return state.status === 'deleted' ? state : changed(state, event);
}

const changed = <Type extends EventType>(state: ExistingWebhook, event: EventOf<Type>): ExistingWebhook =>
  changes[event.type](state, event.data);

/** What each event makes of an endpoint that is there. Counts, tests and notices are no update of it. */
const changes: {
  readonly [Type in EventType]: (state: ExistingWebhook, data: DataOf[Type]) => ExistingWebhook;
} = {
  WebhookRegistered: (state) => state,
  WebhookChanged: (state, { events, description, at }) => ({ ...state, events, description, updatedAt: at }),
  WebhookSecretRotated: rotated,
  WebhookTestRequested: (state, { testId }) => ({ ...state, lastTestId: testId }),
  WebhookFailureCounted: (state, { position }) => ({ ...state, failures: [...state.failures, position] }),
  WebhookFailuresCleared: (state, { position }) => ({
    ...state,
    failures: failuresAfter(state.failures, BigInt(position)),
    clearedTo: position,
  }),
  WebhookDisabled: (state, { at }) => ({
    ...state,
    status: 'disabled',
    disabledAt: state.disabledAt ?? at,
    updatedAt: at,
  }),
  WebhookDeleted: (state, { at }) => ({ ...state, status: 'deleted', updatedAt: at }),
  WebhookSecretAged: aged,
  WebhookGraceEnding: graceEnding,
};

const signing = (secret: SealedSecret, createdAt: string): SigningSecret => ({
  ...secret,
  createdAt,
  isAged: false,
});

function registered({ secret, at, ...data }: DataOf['WebhookRegistered']): ExistingWebhook {
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
  { secret, graceEndsAt, graceNoticeAt, at }: DataOf['WebhookSecretRotated'],
): ExistingWebhook {
  const { secretId, sealed, remindAt } = state.secret;
  return {
    ...state,
    secret: signing(secret, at),
    previousSecret: { secretId, sealed, remindAt, graceEndsAt, graceNoticeAt, isEnding: false },
    updatedAt: at,
  };
}

function aged(state: ExistingWebhook, { secretId }: DataOf['WebhookSecretAged']): ExistingWebhook {
  const { secret } = state;
  return secret.secretId === secretId ? { ...state, secret: { ...secret, isAged: true } } : state;
}

function graceEnding(state: ExistingWebhook, { secretId }: DataOf['WebhookGraceEnding']): ExistingWebhook {
  const { previousSecret } = state;
  if (previousSecret?.secretId !== secretId) return state;
  return { ...state, previousSecret: { ...previousSecret, isEnding: true } };
}

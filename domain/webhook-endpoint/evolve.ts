import type { WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import type { ExistingWebhook, SealedSecret, SigningSecret, WebhookEndpoint } from './state.ts';

/** An event that does not fit the status (none is ever decided) leaves the state as it was: what is deleted stays so. */
export function evolve(state: WebhookEndpoint, event: WebhookEndpointEvent): WebhookEndpoint {
  if (state.status === 'none') return event.type === 'WebhookRegistered' ? registered(event.data) : state;
  if (state.status === 'deleted') return state;
  const next = { ...state, updatedAt: event.data.at };
  switch (event.type) {
    case 'WebhookRegistered':
      return state;
    case 'WebhookTestRequested':
      return { ...state, lastTestId: event.data.testId };
    case 'WebhookChanged':
      return { ...next, events: event.data.events, description: event.data.description };
    case 'WebhookSecretRotated':
      return rotated(next, event.data);
    case 'WebhookFailureCounted':
      return { ...state, consecutiveFailures: event.data.consecutive, countedTo: event.data.position };
    case 'WebhookFailuresCleared':
      return { ...state, consecutiveFailures: 0, countedTo: event.data.position };
    case 'WebhookDisabled':
      return { ...next, status: 'disabled', disabledAt: state.disabledAt ?? event.data.at };
    case 'WebhookDeleted':
      return { ...next, status: 'deleted' };
    case 'WebhookSecretAged':
      return event.data.secretId === state.secret.secretId
        ? { ...state, secret: { ...state.secret, isAged: true } }
        : state;
    case 'WebhookGraceEnding':
      return graceEnding(state, event.data.secretId);
  }
}

type DataOf<Type extends WebhookEndpointEvent['type']> = Extract<WebhookEndpointEvent, { type: Type }>['data'];

const signing = (secret: SealedSecret, createdAt: string): SigningSecret => ({
  ...secret,
  createdAt,
  isAged: false,
});

function registered({ secret, at, ...data }: DataOf<'WebhookRegistered'>): ExistingWebhook {
  return {
    ...data,
    status: 'active',
    secret: signing(secret, at),
    previousSecret: null,
    consecutiveFailures: 0,
    countedTo: '0',
    disabledAt: null,
    lastTestId: null,
    createdAt: at,
    updatedAt: at,
  };
}

function rotated(
  state: ExistingWebhook,
  { secret, graceEndsAt, graceNoticeAt, at }: DataOf<'WebhookSecretRotated'>,
): ExistingWebhook {
  const { secretId, sealed, remindAt } = state.secret;
  return {
    ...state,
    secret: signing(secret, at),
    previousSecret: { secretId, sealed, remindAt, graceEndsAt, graceNoticeAt, isEnding: false },
  };
}

function graceEnding(state: ExistingWebhook, secretId: string): ExistingWebhook {
  const { previousSecret } = state;
  if (previousSecret?.secretId !== secretId) return state;
  return { ...state, previousSecret: { ...previousSecret, isEnding: true } };
}

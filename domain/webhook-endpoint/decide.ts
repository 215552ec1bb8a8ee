import type { WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import { refuse } from '../../contracts/problems.ts';
import type {
  ChangeWebhook,
  DeleteWebhook,
  NoticeGraceEnding,
  NoticeSecretAge,
  RegisterWebhook,
  RequestTest,
  RotateSecret,
  WebhookEndpointCommand,
} from './commands.ts';
import { countOutcomes } from './counting.ts';
import type { ExistingWebhook, WebhookEndpoint } from './state.ts';

type Decision = readonly WebhookEndpointEvent[];
type CommandType = WebhookEndpointCommand['type'];
type CommandOf<Type extends CommandType> = {
  [Each in Type]: { readonly type: Each } & Extract<WebhookEndpointCommand, { type: Each }>;
}[Type];

const rules: {
  readonly [Type in CommandType]: (state: WebhookEndpoint, command: CommandOf<Type>) => Decision;
} = {
  RegisterWebhook: register,
  ChangeWebhook: change,
  RotateSecret: rotateSecret,
  RequestTest: requestTest,
  CountOutcomes: countOutcomes,
  DeleteWebhook: remove,
  NoticeSecretAge: noticeSecretAge,
  NoticeGraceEnding: noticeGraceEnding,
};

export const decide = <Type extends CommandType>(
  command: CommandOf<Type>,
  state: WebhookEndpoint,
): Decision => rules[command.type](state, command);

/** What is deleted is as unknown as what never was. */
function present(state: WebhookEndpoint): ExistingWebhook {
  if (state.status === 'none' || state.status === 'deleted') throw refuse('not-found');
  return state;
}

/** The same endpoint again is nothing new. */
function register(state: WebhookEndpoint, { type: _, ...data }: RegisterWebhook): Decision {
  if (state.status !== 'none') return [];
  return [{ type: 'WebhookRegistered', data: { ...data, events: [...data.events] } }];
}

/** A disabled endpoint may be changed, and stays disabled. */
function change(state: WebhookEndpoint, { events, description, at }: ChangeWebhook): Decision {
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
}

/**
 * The first of two rotations must have come to its end, or three secrets would sign. The same secret again is nothing new.
 * Of a disabled endpoint nothing is signed any more, and its owner is not to be told of secrets.
 */
function rotateSecret(
  state: WebhookEndpoint,
  { secret, graceEndsAt, graceNoticeAt, at }: RotateSecret,
): Decision {
  const { status, webhookId, previousSecret, secret: current } = present(state);
  if (current.secretId === secret.secretId) return [];
  if (status === 'disabled') throw refuse('conflict', disabled);
  if (previousSecret !== null && Date.parse(at) < Date.parse(previousSecret.graceEndsAt)) {
    throw refuse(
      'conflict',
      `The secret was rotated already; the one before it signs until ${previousSecret.graceEndsAt}.`,
    );
  }
  return [{ type: 'WebhookSecretRotated', data: { webhookId, secret, graceEndsAt, graceNoticeAt, at } }];
}

function requestTest(state: WebhookEndpoint, { testId, triggeredBy, at }: RequestTest): Decision {
  const { status, webhookId, accountId, lastTestId } = present(state);
  if (testId === lastTestId) return [];
  if (status === 'disabled') throw refuse('conflict', disabled);
  return [{ type: 'WebhookTestRequested', data: { webhookId, accountId, testId, triggeredBy, at } }];
}

/** For whoever wants something sent to an endpoint that is disabled. */
export const disabled =
  'The endpoint is disabled: too many attempts in a row failed. Create a new endpoint for the address.';

function remove(state: WebhookEndpoint, { at }: DeleteWebhook): Decision {
  if (state.status === 'none') throw refuse('not-found');
  if (state.status === 'deleted') return [];
  const { webhookId, accountId } = state;
  return [{ type: 'WebhookDeleted', data: { webhookId, accountId, at } }];
}

/** Once for each secret, and not before its time. */
function noticeSecretAge(state: WebhookEndpoint, { at }: NoticeSecretAge): Decision {
  if (state.status !== 'active') return [];
  const { webhookId, accountId, secret } = state;
  if (secret.isAged || Date.parse(at) < Date.parse(secret.remindAt)) return [];
  return [{ type: 'WebhookSecretAged', data: { webhookId, accountId, secretId: secret.secretId, at } }];
}

/** Once for each rotation, and not before its time; an end that is past is noticed too, or it would stay due for ever. */
function noticeGraceEnding(state: WebhookEndpoint, { at }: NoticeGraceEnding): Decision {
  if (state.status !== 'active' || state.previousSecret === null) return [];
  const { webhookId, accountId } = state;
  const { secretId, graceNoticeAt, graceEndsAt, isEnding } = state.previousSecret;
  if (isEnding || Date.parse(at) < Date.parse(graceNoticeAt)) return [];
  return [{ type: 'WebhookGraceEnding', data: { webhookId, accountId, secretId, graceEndsAt, at } }];
}

import type { WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import { toId } from '../../contracts/ids.ts';
import { commandBuilders, eventBuilders } from '../testing/index.ts';
import type { SealedSecret } from './state.ts';
import type { WebhookEndpointCommand } from './webhook-endpoint.ts';

/** An example endpoint: registered at midnight, its secret rotated ten days later. */
export const webhookId = toId('webhook', '0197f1a0-0000-7000-8000-000000000001');
export const accountId = toId('account', '0197f1a0-0000-7000-8000-000000000002');
export const deliveryId = toId('webhookDelivery', '0197f1a0-0000-7000-8000-000000000003');

/** A time of the example, by its day in January: `on(11, '23:59:59.999')`. */
export const on = (day: number, time = '00:00:00.000'): string =>
  `2026-01-${String(day).padStart(2, '0')}T${time}Z`;

const registeredAt = on(1);
export const rotatedAt = on(11);
export const graceEndsAt = on(12);
/** Sixty days after the registration. */
export const remindAt = '2026-03-02T00:00:00.000Z';
export const secret: SealedSecret = { secretId: 'first', sealed: 'sealed first', remindAt };
export const fresh: SealedSecret = {
  secretId: 'second',
  sealed: 'sealed second',
  remindAt: '2026-03-12T00:00:00.000Z',
};

const registration = {
  webhookId,
  accountId,
  url: 'https://receiver.example/hooks',
  events: ['session.completed', 'session.failed'],
  description: null,
  secret,
  at: registeredAt,
} as const;
const rotation = { secret: fresh, graceEndsAt, graceNoticeAt: on(11, '12:00:00.000'), at: rotatedAt };
const test = { testId: 'test', triggeredBy: accountId, at: on(2) };
const attempt = { deliveryId, attempt: 1, at: on(3) };

export const events = eventBuilders<WebhookEndpointEvent>({
  WebhookRegistered: { ...registration, events: [...registration.events] },
  WebhookChanged: { webhookId, events: ['api_key.revoked'], description: null, at: on(2) },
  WebhookSecretRotated: { webhookId, ...rotation },
  WebhookTestRequested: { webhookId, accountId, ...test },
  WebhookFailureCounted: { webhookId, accountId, ...attempt, consecutive: 1, position: '100' },
  WebhookFailuresCleared: { webhookId, ...attempt, position: '100' },
  WebhookDisabled: { webhookId, accountId, consecutive: 50, at: on(3) },
  WebhookDeleted: { webhookId, accountId, at: on(4) },
  WebhookWithdrawn: { webhookId, accountId, at: on(4) },
  WebhookSecretAged: { webhookId, accountId, secretId: secret.secretId, at: remindAt },
  WebhookGraceEnding: {
    webhookId,
    accountId,
    secretId: secret.secretId,
    graceEndsAt,
    at: rotation.graceNoticeAt,
  },
});

export const commands = commandBuilders<WebhookEndpointCommand>({
  RegisterWebhook: registration,
  ChangeWebhook: { events: ['api_key.revoked'], description: undefined, at: on(2) },
  RotateSecret: rotation,
  RequestTest: test,
  CountOutcomes: {
    outcomes: [{ deliveryId, attempt: 1, succeeded: false, position: 100n }],
    isIncomplete: false,
    disableAfter: 50,
    at: on(3),
  },
  DeleteWebhook: { at: on(4) },
  WithdrawWebhook: { webhookId, accountId, at: on(4) },
  MarkSecretAged: { at: remindAt },
  MarkGraceEnding: { at: rotation.graceNoticeAt },
});

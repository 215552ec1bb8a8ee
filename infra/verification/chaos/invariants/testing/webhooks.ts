import { createHmac } from 'node:crypto';
import { envelopeIdOf } from '../../../../../contracts/webhooks/envelope.ts';
import type { ReceivedMessage } from '../../../testbed/index.ts';
import type { Evidence, LogEvent } from '../../evidence/index.ts';
import { account, done, event, inOrder, lives } from './index.ts';

/** Time by seconds after noon, as events and as receivers have it. */
export const time = (seconds: number): string => new Date(noon + seconds * 1000).toISOString();
export const wallClock = (seconds: number): number => noon + seconds * 1000;
const noon = Date.parse('2026-01-05T12:00:00.000Z');

const uuid = '00000000-0000-4000-8000-0000000000b1';
export const webhookId = `whk_${uuid}`;
export const path = '/good/one';
export const secret = 'whsec_first';
const stream = `webhook_endpoint-${uuid}`;

export const endpoint = (type: string, data: LogEvent['data'] = {}, requestId?: string): LogEvent =>
  event(type, { stream, ...(requestId !== undefined && { requestId }), data: { webhookId, ...data } });

export const registered = (): LogEvent =>
  endpoint(
    'WebhookRegistered',
    { url: `http://127.0.0.1:1${path}`, events: ['session.completed'], at: time(0) },
    'register',
  );

/** The announcement for the endpoint. */
export const destroyed = (): LogEvent => ({
  ...event('SessionDestroyed', { data: { at: time(1) } }),
  revision: 2,
});

export const bodyFor = (cause: LogEvent): string =>
  JSON.stringify({ id: envelopeIdOf(cause.id), type: 'session.completed', created_at: time(1), data: {} });

/** The endpoint's delivery of an event. Each of `then` is an event of its stream, after the first. */
export function delivery(
  cause: LogEvent,
  then: readonly (readonly [type: string, data: LogEvent['data']])[],
  changes: LogEvent['data'] = {},
  name = 'one',
): readonly LogEvent[] {
  const of = (type: string, data: LogEvent['data']) =>
    event(type, { stream: `webhook_delivery-${name}`, data: { webhookId, ...data } });
  const what = { eventId: envelopeIdOf(cause.id), body: bodyFor(cause), trigger: 'event', replayId: null };
  const scheduled = of('DeliveryScheduled', { ...what, dueAt: time(2), at: time(2), ...changes });
  return inOrder(scheduled, ...then.map(([type, data]) => of(type, data)));
}

export const succeeded = (data: LogEvent['data'] = {}) =>
  ['DeliverySucceeded', { startedAt: time(2), at: time(2.1), responseStatus: 200, ...data }] as const;
export const failed = (data: LogEvent['data'] = {}) =>
  [
    'DeliveryAttemptFailed',
    { startedAt: time(2), at: time(2.1), nextAttemptAt: time(5), responseStatus: 503, ...data },
  ] as const;

export function message(
  cause: LogEvent,
  changes: Partial<ReceivedMessage> & { secrets?: string[] } = {},
): ReceivedMessage {
  const { secrets = [secret], at = wallClock(2.05), body = bodyFor(cause), ...rest } = changes;
  const seconds = Math.floor(at / 1000);
  const signatures = secrets.map(
    (key) => `v1=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`,
  );
  return {
    path,
    id: envelopeIdOf(cause.id),
    type: 'session.completed',
    signature: [`t=${seconds}`, ...signatures].join(),
    body,
    at,
    answered: 200,
    ...rest,
  };
}

/** One session's end, delivered at once to one endpoint. */
export function deliveredStory() {
  const cause = destroyed();
  const before = [...lives(), registered()];
  return {
    cause,
    before,
    with: (
      deliveries: readonly LogEvent[],
      changes: Partial<Evidence> = {},
      after: readonly LogEvent[] = [],
    ): Partial<Evidence> => ({
      log: [...before, cause, ...deliveries, ...after],
      history: [shown('register', secret)],
      messages: [message(cause)],
      ...changes,
    }),
  };
}

/** The answer that showed a secret. */
export const shown = (id: string, text: string, answeredAt = wallClock(0)) =>
  done(id, 'register-webhook', {
    account,
    text: JSON.stringify({ secret: text }),
    sentAt: answeredAt,
    answeredAt,
  });

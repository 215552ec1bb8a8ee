import { v7 as uuidv7 } from 'uuid';
import { apiKeyEvents } from '../../../contracts/events/api-key.ts';
import { accountWebhooksEvents } from '../../../contracts/events/webhook-endpoint.ts';
import {
  toId,
  uuidOf,
  type AccountId,
  type WebhookDeliveryId,
  type WebhookId,
} from '../../../contracts/ids.ts';
import type { SubscribableEventType } from '../../../contracts/webhooks/event-types.ts';
import {
  webhookDelivery,
  type WebhookDeliveryCommand,
} from '../../../domain/webhook-delivery/webhook-delivery.ts';
import {
  webhookEndpoint,
  type WebhookEndpointCommand,
} from '../../../domain/webhook-endpoint/webhook-endpoint.ts';
import { systemClock, systemPause } from '../../../infra/platform/clock.ts';
import type { EventStore, RecordedEvent } from '../../../infra/event-store/client/types.ts';
import type { WakeUp } from '../../../infra/queue/types.ts';
import { toAppend } from '../../engine/recording.ts';
import { createRunner, type Runner } from '../../engine/runner.ts';
import { newContext, quiet } from '../../session/testing.ts';
import type { SendFirst } from './scheduling.ts';
import { deliveringProcess, webhookProcesses, type ReplaySource, type WebhookProcessPorts } from './index.ts';

const now = (): string => systemClock.now().toISOString();

/** A source without read models. */
const noReplays: ReplaySource = {
  reach: () => Promise.reject(new Error('no read model')),
  eventsOf: () => Promise.reject(new Error('no read model')),
  openDeliveries: () => Promise.reject(new Error('no read model')),
  running: () => Promise.resolve([]),
};

/** Commands of the owners of endpoints. */
function endpointsOn(store: EventStore, runner: Runner) {
  const owners = new Map<WebhookId, AccountId>();
  const tell = (webhookId: WebhookId, command: WebhookEndpointCommand) =>
    runner.run(webhookEndpoint, uuidOf(webhookId), command, newContext(owners.get(webhookId) ?? null));
  const register = async (
    accountId: AccountId,
    events: readonly SubscribableEventType[] = ['api_key.revoked'],
    webhookId: WebhookId = toId('webhook', uuidv7()),
    ...more: readonly WebhookId[]
  ): Promise<WebhookId> => {
    const all = [webhookId, ...more];
    const data = all.map((id) => ({ accountId, webhookId: id, at: now() }));
    const admitted = data.map((place) => ({ type: 'WebhookAdmitted', data: place }));
    const places = toAppend(accountWebhooksEvents, admitted, newContext(accountId));
    await store.append(`${accountWebhooksEvents.name}-${uuidOf(accountId)}`, 'any', places);
    const secret = { secretId: 'first', sealed: 'sealed', remindAt: now() };
    const facts = { accountId, url: 'https://receiver.example/', events, description: null, secret };
    for (const id of all) owners.set(id, accountId);
    await Promise.all(
      all.map((id) => tell(id, { type: 'RegisterWebhook', webhookId: id, ...facts, at: now() })),
    );
    return webhookId;
  };
  return {
    register,
    change: (webhookId: WebhookId, events: readonly SubscribableEventType[]) =>
      tell(webhookId, { type: 'ChangeWebhook', events, description: undefined, at: now() }),
    disable: (webhookId: WebhookId) => {
      const deliveryId = toId('webhookDelivery', uuidv7());
      const outcomes = [{ deliveryId, attempt: 1, succeeded: false, position: 1n }];
      const facts = { isIncomplete: false, disableAfter: 1, at: now() };
      return tell(webhookId, { type: 'CountOutcomes', outcomes, ...facts });
    },
    remove: (webhookId: WebhookId) => tell(webhookId, { type: 'DeleteWebhook', at: now() }),
    test: (webhookId: WebhookId, testId: string, accountId: AccountId) =>
      tell(webhookId, { type: 'RequestTest', testId, triggeredBy: accountId, at: now() }),
  };
}

/** Outcomes of deliveries. */
function deliveriesOn(runner: Runner) {
  const tell = (deliveryId: WebhookDeliveryId, command: WebhookDeliveryCommand) =>
    runner.run(webhookDelivery, uuidOf(deliveryId), command, newContext(null));
  return {
    /** A delivery requested by a replay. */
    replayed: async (accountId: AccountId, webhookId: WebhookId): Promise<WebhookDeliveryId> => {
      const deliveryId = toId('webhookDelivery', uuidv7());
      const event = { eventId: uuidv7(), eventType: 'api_key.revoked', body: '{}' } as const;
      const why = { trigger: 'replay', replayOf: deliveryId, replayId: null, at: now() } as const;
      await tell(deliveryId, {
        type: 'ScheduleDelivery',
        deliveryId,
        webhookId,
        accountId,
        ...event,
        ...why,
      });
      return deliveryId;
    },
    attempt: (deliveryId: WebhookDeliveryId, attempt: number, succeeded: boolean) => {
      const timings = { resolveMs: null, connectMs: null, firstByteMs: null, totalMs: 1 };
      const result = succeeded
        ? ({ outcome: 'succeeded', responseStatus: 204 } as const)
        : ({ outcome: 'failed', responseStatus: 500, error: null } as const);
      const made = { attempt, result, timings, startedAt: now(), at: now() };
      return tell(deliveryId, { type: 'RecordAttempt', ...made, backoffMs: [0, 0], jitter: 0 });
    },
    requeue: (deliveryId: WebhookDeliveryId) => tell(deliveryId, { type: 'RequeueDelivery', at: now() }),
  };
}

/** Ports with which deliveries are scheduled and never sent. */
const onlyScheduling = { sendFirst: () => Promise.resolve(false), observe: () => undefined };

/** Accounts with endpoints, changes to them, and the resulting events. */
export function createWebhookWorld(store: EventStore) {
  const runner = createRunner({ store, logger: quiet, cacheEntries: 10_000 });
  const woken: WakeUp[] = [];
  const standard: Omit<WebhookProcessPorts, 'store' | 'runner'> = {
    clock: systemClock,
    now: () => performance.now(),
    pause: systemPause,
    logger: quiet,
    wakeUps: { scheduleAll: async (wakeUps) => void woken.push(...wakeUps) },
    source: noReplays,
    disableAfter: 50,
    sweepMs: 20,
  };
  return {
    ...endpointsOn(store, runner),
    ...deliveriesOn(runner),
    runner,
    woken,
    newAccount: (): AccountId => toId('account', uuidv7()),
    /** The process managers of a host that has just started, with empty caches. */
    processes: (changes: Partial<WebhookProcessPorts> & { readonly sendFirst?: SendFirst } = {}) => {
      const on = changes.store ?? store;
      const own = createRunner({ store: on, logger: quiet, cacheEntries: 1000 });
      const ports = { ...standard, store: on, runner: own, ...changes };
      const { managers, sweeps } = webhookProcesses(ports);
      const fanOut = deliveringProcess({ ...onlyScheduling, ...ports });
      return { managers: [fanOut, ...managers], sweeps };
    },
    /** An event announced to the account's endpoints. */
    happen: async (accountId: AccountId, at = now()): Promise<void> => {
      const apiKeyId = toId('apiKey', uuidv7());
      const data = { apiKeyId, accountId, name: 'test', by: 'owner', at } as const;
      const revoked = toAppend(apiKeyEvents, [{ type: 'ApiKeyRevoked', data }], newContext(accountId));
      await store.append(`${apiKeyEvents.name}-${uuidOf(apiKeyId)}`, 'no_stream', revoked);
    },
    /** Events of all streams with this prefix, in the order of the log. */
    eventsOf: async (name: string): Promise<RecordedEvent[]> => {
      const events: RecordedEvent[] = [];
      for await (const event of store.readAll({ prefixes: [name] })) events.push(event);
      return events;
    },
  };
}
export type WebhookWorld = ReturnType<typeof createWebhookWorld>;

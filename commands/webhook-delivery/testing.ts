import { v7 as uuidv7 } from 'uuid';
import { toId, uuidOf, type WebhookDeliveryId, type WebhookId } from '../../contracts/ids.ts';
import { webhookDelivery } from '../../domain/webhook-delivery/webhook-delivery.ts';
import {
  webhookEndpoint,
  type WebhookEndpointCommand,
} from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import { systemAfter, systemPause } from '../../infra/platform/clock.ts';
import type { EventStore } from '../../infra/event-store/client/index.ts';
import type { WebhookMessage } from '../../infra/webhooks/sender.ts';
import { createRunner, type Runner } from '../engine/runner.ts';
import { TestClock, newContext, quiet } from '../session/testing.ts';
import { createDeliveries, type Deliveries, type DeliveryPorts } from './index.ts';

const minute = 60_000;
export const accountId = toId('account', uuidv7());
const timings = { resolveMs: 0, connectMs: 1, firstByteMs: 2, totalMs: 3 };

type Sent = Awaited<ReturnType<DeliveryPorts['send']>>;
export const succeeded: Sent = { result: { outcome: 'succeeded', responseStatus: 200 }, timings };
export const failed: Sent = { result: { outcome: 'failed', responseStatus: 500, error: null }, timings };

export interface DeliveriesWorld {
  readonly clock: TestClock;
  readonly runner: Runner;
  /** Sent requests, in order. */
  readonly sent: WebhookMessage[];
  /** Scheduled wake-ups, as `<id> <due>`. */
  readonly scheduled: string[];
  /** Attempts that were called back. */
  readonly hastened: string[];
  answer: (message: WebhookMessage) => Promise<Sent>;
  /** Starts another worker. */
  worker(changes?: Partial<DeliveryPorts>): Deliveries;
  endpoint(): Promise<WebhookId>;
  change(webhookId: WebhookId, command: WebhookEndpointCommand): Promise<void>;
  delivery(webhookId: WebhookId, body?: string): Promise<WebhookDeliveryId>;
  /** Events of the delivery's stream, without the first. */
  events(deliveryId: WebhookDeliveryId): Promise<readonly string[]>;
}

/** A real event store, and receivers controlled by the test. */
export function createDeliveriesWorld(store: EventStore): DeliveriesWorld {
  const clock = new TestClock();
  const freshRunner = () => createRunner({ store, logger: quiet, cacheEntries: 1000 });
  const runner = freshRunner();
  const world: DeliveriesWorld = {
    clock,
    runner,
    sent: [],
    scheduled: [],
    hastened: [],
    answer: async () => succeeded,
    worker: (changes) => createDeliveries({ ...portsOf(world, freshRunner()), ...changes }),
    endpoint: () => register(world),
    change: async (webhookId, command) => {
      await runner.run(webhookEndpoint, uuidOf(webhookId), command, newContext(accountId));
    },
    delivery: (webhookId, body) => schedule(world, webhookId, body),
    events: async (deliveryId) => {
      const types: string[] = [];
      for await (const { type } of store.readStream(`webhook_delivery-${uuidOf(deliveryId)}`))
        types.push(type);
      return types.slice(1);
    },
  };
  return world;
}

async function register({ clock, change }: DeliveriesWorld): Promise<WebhookId> {
  const at = clock.now().toISOString();
  const webhookId = toId('webhook', uuidv7());
  const secret = { secretId: 'one', sealed: 'sealed one', remindAt: at };
  const facts = { url: 'https://receiver.test/', events: [], description: null, secret, at };
  await change(webhookId, { type: 'RegisterWebhook', webhookId, accountId, ...facts });
  return webhookId;
}

async function schedule(
  { clock, runner }: DeliveriesWorld,
  webhookId: WebhookId,
  body?: string,
): Promise<WebhookDeliveryId> {
  const deliveryId = toId('webhookDelivery', uuidv7());
  const envelope = body ?? `{"${deliveryId}":1}`;
  const event = { eventId: uuidv7(), eventType: 'session.completed', body: envelope } as const;
  const why = { trigger: 'event', replayOf: null, replayId: null, at: clock.now().toISOString() } as const;
  const command = { type: 'ScheduleDelivery', deliveryId, webhookId, accountId, ...event, ...why } as const;
  await runner.run(webhookDelivery, uuidOf(deliveryId), command, newContext(accountId), { create: true });
  return deliveryId;
}

const portsOf = (world: DeliveriesWorld, runner: Runner): DeliveryPorts => ({
  runner,
  clock: world.clock,
  now: () => performance.now(),
  pause: systemPause,
  after: systemAfter,
  random: () => 0.5,
  newCommandId: uuidv7,
  send: async (message) => {
    world.sent.push(message);
    return world.answer(message);
  },
  vault: { open: async (_account, field, sealed) => ({ text: `${field}: ${sealed}` }) },
  secretField: (secretId) => secretId,
  wakeUps: {
    schedule: async (id, dueAt) => void world.scheduled.push(`${id} ${dueAt.toISOString()}`),
    hasten: async (id) => void world.hastened.push(id),
  },
  backoffMs: [1, 5, 15, 30, 60].map((minutes) => minutes * minute),
  jitter: 0.1,
  slotsPerEndpoint: 10,
  attemptsAtOnce: 100,
  attemptLimitMs: 10_000,
  logger: quiet,
});

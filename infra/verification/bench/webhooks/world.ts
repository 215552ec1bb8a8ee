import { randomUUID } from 'node:crypto';
import { toAppend } from '../../../../commands/engine/recording.ts';
import { apiKeyEvents, type ApiKeyEvent } from '../../../../contracts/events/api-key.ts';
import { toId, type AccountId } from '../../../../contracts/ids.ts';
import { envelopeIdOf } from '../../../../contracts/webhooks/envelope.ts';
import { connectEventStore, type EventStore } from '../../../event-store/client/index.ts';
import { startRedis } from '../../testbed/index.ts';
import { inFlight } from '../load.ts';
import type { Bench } from '../subject.ts';
import { systemClient, type SystemClient } from '../system/system-client.ts';
import { onSystem, type SystemUnderTest } from '../system/system-stack.ts';
import { startReceivers, type Receivers } from './receivers.ts';

export type QueueKind = 'redis' | 'postgres';

/** The whole service with receivers, and events to announce. */
export interface WebhookWorld {
  readonly system: SystemUnderTest;
  readonly receivers: Receivers;
  readonly store: EventStore;
  /** Kind of its queue. */
  readonly queueUrl: string;
  /** An account with endpoints at these addresses, all subscribed to `api_key.revoked`. */
  account(urls: readonly string[]): Promise<AccountId>;
  /** Causes an event of the account that its endpoints get. Returns the id of the envelope. */
  causeEvent(account: AccountId): Promise<string>;
  /** The same that many times, 32 at once. */
  causeEvents(account: AccountId, times: number): Promise<void>;
}

export interface WorldOptions {
  readonly queue: QueueKind;
  readonly env?: Readonly<Record<string, string>>;
}

const endpointsOfAnAccount = '1000';
const concurrentEvents = 32;

export async function onWebhooks<T>(
  { directory, logger }: Bench,
  { queue, env = {} }: WorldOptions,
  work: (world: WebhookWorld) => Promise<T>,
): Promise<T> {
  const redis = queue === 'redis' ? await startRedis() : undefined;
  const receivers = await startReceivers();
  const environment = {
    OUTBOUND_ALLOW: '127.0.0.0/8',
    WEBHOOKS_PER_ACCOUNT: endpointsOfAnAccount,
    ...(redis && { QUEUE_URL: redis.url }),
    ...env,
  };
  try {
    return await onSystem({ directory: `${directory}/${queue}` }, environment, async (system) => {
      const store = connectEventStore({ url: system.stores.events, logger });
      try {
        const queueUrl = redis?.url ?? system.stores.postgres;
        return await work({ system, receivers, store, queueUrl, ...serviceActions(system, store) });
      } finally {
        await store.close();
      }
    });
  } finally {
    await redis?.stop();
    await receivers.close();
  }
}

type ServiceActions = Pick<WebhookWorld, 'account' | 'causeEvent' | 'causeEvents'>;

function serviceActions(system: SystemUnderTest, store: EventStore): ServiceActions {
  const causeEvent: ServiceActions['causeEvent'] = async (account) => {
    const commandId = randomUUID();
    const context = {
      commandId,
      correlationId: commandId,
      causationId: commandId,
      by: 'request:bench',
      actor: { kind: 'api_key', account_id: account },
      requestId: null,
    } as const;
    const events = toAppend(apiKeyEvents, madeAndRevoked(account, commandId), context);
    await store.append(`api_key-${commandId}`, 'no_stream', events);
    return envelopeIdOf(events[1]?.id ?? '');
  };
  return {
    causeEvent,
    causeEvents: (account, times) =>
      inFlight(times, concurrentEvents, async () => {
        await causeEvent(account);
      }),
    account: async (urls) => {
      const { account_id, api_key } = await system.stack.account('enterprise');
      const client = systemClient(system.stack.baseUrl, api_key);
      await inFlight(urls.length, 8, (index) => register(client, urls[index] ?? ''));
      await client.close();
      return account_id as AccountId;
    },
  };
}

async function register(client: SystemClient, url: string): Promise<void> {
  await client.call('POST', '/v1/webhooks', { url, events: ['api_key.revoked'] });
}

function madeAndRevoked(accountId: AccountId, uuid: string): readonly ApiKeyEvent[] {
  const at = new Date().toISOString();
  const apiKeyId = toId('apiKey', uuid);
  const key = { apiKeyId, accountId, name: 'bench', prefix: 'svc_live_bench', last4: '0000', hash: uuid };
  return [
    { type: 'ApiKeyCreated', data: { ...key, scopes: ['read'], expiresAt: null, rotatedFrom: null, at } },
    { type: 'ApiKeyRevoked', data: { apiKeyId, accountId, name: 'bench', by: 'owner', at } },
  ];
}

import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import {
  toId,
  uuidOf,
  type AccountId,
  type WebhookDeliveryId,
  type WebhookId,
} from '../../../contracts/ids.ts';
import { envelopeIdOf } from '../../../contracts/webhooks/envelope.ts';
import { deliveryIdOf } from '../../../domain/webhook-event/webhook-event.ts';
import type { EventStore, RecordedEvent } from '../../../infra/event-store/client/types.ts';
import { until } from '../../../infra/verification/testbed/index.ts';
import { wakeUpIdOf } from '../../webhook-delivery/recording.ts';
import { openStore } from '../../session/testing.ts';
import { isPast, startFollowing } from '../engine/testing.ts';
import { createWebhookWorld, type WebhookWorld } from './testing.ts';

describe('webhook fan-out', () => {
  let opened: Awaited<ReturnType<typeof openStore>>;
  let world: WebhookWorld;
  let account: AccountId;
  let hosts: { close(): Promise<void> }[];
  beforeEach(async () => {
    opened = await openStore();
    world = createWebhookWorld(opened.store);
    account = world.newAccount();
    hosts = [];
  });
  afterEach(async () => {
    await Promise.all(hosts.map((host) => host.close()));
    await opened.close();
  });

  function start(store: EventStore = opened.store) {
    const host = startFollowing({ store, managers: world.processes({ store }).managers });
    hosts.push(host);
    return host;
  }
  /** Resolves once a host has reacted to everything in the log. */
  async function reactedToAll(host: ReturnType<typeof start>): Promise<void> {
    const prefixes = ['api_key-', 'webhook_endpoint-', 'account_webhooks-', 'webhook_delivery-'];
    await until(() => isPast(opened.store, host.kept, prefixes));
  }

  const newWebhookIds = (count: number) => Array.from({ length: count }, () => toId('webhook', uuidv7()));
  const dataOf = <Data>({ data }: RecordedEvent): Data => data as Data;
  interface Scheduled {
    readonly webhookId: WebhookId;
    readonly eventId: string;
  }
  /** The scheduled deliveries, each as endpoint and event. */
  async function scheduled(): Promise<string[]> {
    const events = await world.eventsOf('webhook_delivery-');
    return events
      .filter(({ type }) => type === 'DeliveryScheduled')
      .map(dataOf<Scheduled>)
      .map(({ webhookId, eventId }) => `${webhookId} ${eventId}`)
      .sort();
  }

  /** The expected deliveries, by one read of the log from its start. */
  async function expected(): Promise<string[]> {
    const subscribed = new Map<WebhookId, { accountId: AccountId; events: readonly string[] }>();
    const due: string[] = [];
    for await (const event of opened.store.readAll({ prefixes: ['webhook_endpoint-', 'api_key-'] })) {
      const { type, id } = event;
      const data = dataOf<{ webhookId: WebhookId; accountId: AccountId; events: string[] }>(event);
      const known = subscribed.get(data.webhookId);
      if (type === 'WebhookRegistered') subscribed.set(data.webhookId, data);
      if (type === 'WebhookChanged' && known)
        subscribed.set(data.webhookId, { ...known, events: data.events });
      if (type === 'WebhookDisabled' || type === 'WebhookDeleted') subscribed.delete(data.webhookId);
      if (type !== 'ApiKeyRevoked') continue;
      for (const [webhookId, { accountId, events }] of subscribed) {
        if (accountId === data.accountId && events.includes('api_key.revoked'))
          due.push(`${webhookId} ${envelopeIdOf(id)}`);
      }
    }
    return due.sort();
  }

  it('follows the order of the log, however late it is read and however the endpoints have changed since', async () => {
    const [changed, disabled, deleted] = [
      await world.register(account),
      await world.register(account),
      await world.register(account),
    ];
    await world.happen(account);
    await world.change(changed, ['session.failed']);
    await world.happen(account);
    await world.change(changed, ['session.failed', 'api_key.revoked']);
    await world.disable(disabled);
    await world.happen(account);
    await world.remove(deleted);
    await world.remove(disabled);
    await world.register(account, ['session.failed']);
    await world.register(world.newAccount());
    await world.happen(account);
    await reactedToAll(start());
    const due = await expected();
    expect(due).to.have.length(3 + 2 + 2 + 1);
    expect(await scheduled()).to.deep.equal(due);
  });

  it('does so even while endpoints are created, changed and deleted', async () => {
    const host = start();
    const accounts = [account, world.newAccount()];
    const endpoints: WebhookId[] = [];
    await Promise.all(
      Array.from({ length: 8 }, async (_, customer) => {
        const owner = accounts[customer % 2] ?? account;
        const webhookId = await world.register(owner);
        endpoints.push(webhookId);
        for (let round = 0; round < 4; round += 1) {
          await world.happen(owner);
          await world.change(webhookId, round % 2 === 0 ? ['session.failed'] : ['api_key.revoked']);
          await world.happen(owner);
        }
        await (customer % 3 === 0 ? world.remove(webhookId) : world.disable(webhookId));
        await world.happen(owner);
      }),
    );
    await reactedToAll(host);
    expect(await scheduled()).to.deep.equal(await expected());
  });

  it('changes nothing twice if events are redelivered, and continues with new ones', async () => {
    await world.register(account);
    for (let count = 0; count < 5; count += 1) await world.happen(account);
    const first = start();
    await reactedToAll(first);
    const before = await world.eventsOf('webhook_');
    await Promise.all([reactedToAll(start()), reactedToAll(start())]);
    expect(await world.eventsOf('webhook_')).to.deep.equal(before);
    await world.happen(account);
    await until(async () => (await scheduled()).length === 6);
    await Promise.all(hosts.splice(0).map((host) => host.close()));
    expect((await scheduled()).length).to.equal(6);
  });

  it('drops caches of an earlier term, because another host may have written since', async () => {
    const { managers } = world.processes();
    const { store } = opened;
    const first = startFollowing({ store, managers });
    await world.happen(account);
    await reactedToAll(first);
    await first.close();
    const other = startFollowing({ store, managers: world.processes().managers, kept: first.kept });
    await world.register(account);
    await reactedToAll(other);
    await other.close();
    const second = startFollowing({ store, managers, kept: other.kept });
    hosts.push(second);
    await world.happen(account);
    await reactedToAll(second);
    expect(await scheduled()).to.have.length(1);
  });

  it('wakes up each delivery, including requested ones', async () => {
    const webhookId = await world.register(account);
    const host = start();
    await world.happen(account);
    const replayed = await world.replayed(account, webhookId);
    await until(() => world.woken.length === 2);
    for (const attempt of [1, 2, 3]) await world.attempt(replayed, attempt, false);
    await world.requeue(replayed);
    await until(() => world.woken.some(({ id }) => id === wakeUpIdOf(replayed, 4)));
    await reactedToAll(host);
    const [announced] = (await world.eventsOf('webhook_delivery-'))
      .map(dataOf<{ deliveryId: WebhookDeliveryId; trigger: string }>)
      .filter(({ trigger }) => trigger === 'event');
    const ids = world.woken.map(({ id }) => id);
    expect(ids).to.have.members([
      wakeUpIdOf(announced?.deliveryId ?? replayed, 1),
      wakeUpIdOf(replayed, 1),
      wakeUpIdOf(replayed, 4),
    ]);
  });

  it('sends events after the beginning of its term at once; older ones may have been sent, and are scheduled', async () => {
    await world.register(account);
    await world.happen(account);
    const sent: string[] = [];
    const sendFirst = async ({ eventId }: { readonly eventId: string }): Promise<boolean> => {
      sent.push(eventId);
      return true;
    };
    const host = startFollowing({ store: opened.store, managers: world.processes({ sendFirst }).managers });
    hosts.push(host);
    await reactedToAll(host);
    expect([sent.length, (await scheduled()).length, world.woken.length]).to.deep.equal([0, 1, 1]);
    await world.happen(account);
    await reactedToAll(host);
    const [, news] = (await world.eventsOf('api_key-')).map(({ id }) => envelopeIdOf(id));
    expect(sent).to.deep.equal([news]);
    expect([(await scheduled()).length, world.woken.length]).to.deep.equal([1, 1]);
  });

  it('sends nothing a second time if its recording has failed: it is then scheduled', async () => {
    const webhooks = [await world.register(account), await world.register(account)];
    let sent = 0;
    const sendFirst = async ({ webhookId }: { readonly webhookId: WebhookId }): Promise<boolean> => {
      sent += 1;
      if (webhookId === webhooks[1]) throw new Error('not recorded');
      return true;
    };
    const host = startFollowing({ store: opened.store, managers: world.processes({ sendFirst }).managers });
    hosts.push(host);
    await reactedToAll(host);
    await world.happen(account);
    await reactedToAll(host);
    expect([sent, (await scheduled()).length, world.woken.length]).to.deep.equal([2, 2, 2]);
  });

  it('sends a ping only to the tested endpoint, whatever its subscription', async () => {
    const [tested] = [await world.register(account, ['session.failed']), await world.register(account)];
    const testId = uuidv7();
    await world.test(tested, testId, account);
    await reactedToAll(start());
    const [request] = (await world.eventsOf('webhook_endpoint-')).filter(
      ({ type }) => type === 'WebhookTestRequested',
    );
    const eventId = envelopeIdOf(request?.id ?? '');
    const [delivery, ...others] = await world.eventsOf('webhook_delivery-');
    expect(others).to.deep.equal([]);
    const deliveryId = deliveryIdOf(eventId, tested, `test ${testId}`);
    expect(delivery?.stream).to.equal(`webhook_delivery-${uuidOf(deliveryId)}`);
    expect(delivery?.data).to.include({
      webhookId: tested,
      trigger: 'test',
      eventType: 'test.ping',
      eventId,
    });
  });

  it('reads nothing for accounts without endpoints after the first look', async () => {
    let reads = 0;
    const counting: EventStore = {
      ...opened.store,
      readStream: (...args) => {
        reads += 1;
        return opened.store.readStream(...args);
      },
    };
    await world.happen(account);
    const host = start(counting);
    await reactedToAll(host);
    expect(reads).to.equal(1);
    for (let count = 0; count < 5; count += 1) await world.happen(account);
    await reactedToAll(host);
    expect(reads).to.equal(1);
  });

  it('sends to two hundred endpoints at once, a bounded number at a time', async () => {
    await world.register(account, ['api_key.revoked'], ...newWebhookIds(200));
    await world.happen(account);
    let [atWork, most] = [0, 0];
    const counting: EventStore = {
      ...opened.store,
      append: async (...args) => {
        most = Math.max(most, (atWork += 1));
        return opened.store.append(...args).finally(() => (atWork -= 1));
      },
    };
    await reactedToAll(start(counting));
    expect(await scheduled()).to.have.length(200);
    expect(world.woken).to.have.length(200);
    expect(most).to.equal(64);
  });

  it('does not wait for a queue that is down', async () => {
    await world.register(account);
    await world.happen(account);
    const wakeUps = { scheduleAll: () => Promise.reject(new Error('the queue is down')) };
    const host = startFollowing({ store: opened.store, managers: world.processes({ wakeUps }).managers });
    hosts.push(host);
    await reactedToAll(host);
    expect(await scheduled()).to.have.length(1);
    expect(host.kept.parked.size).to.equal(0);
  });
});

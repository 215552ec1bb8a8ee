import { expect } from 'chai';
import type { WebhookEndpointEvent } from '../../../contracts/events/webhook-endpoint.ts';
import { uuidOf, type AccountId, type WebhookDeliveryId, type WebhookId } from '../../../contracts/ids.ts';
import { webhookEndpoint } from '../../../domain/webhook-endpoint/webhook-endpoint.ts';
import type { EventStore } from '../../../infra/event-store/client/types.ts';
import { until } from '../../../infra/verification/testbed/index.ts';
import { openStore } from '../../session/testing.ts';
import { isPast, startFollowing } from '../engine/testing.ts';
import { createWebhookWorld, type WebhookWorld } from './testing.ts';
import type { WebhookProcessPorts } from './index.ts';

describe('webhook outcomes', () => {
  let opened: Awaited<ReturnType<typeof openStore>>;
  let world: WebhookWorld;
  let account: AccountId;
  let webhookId: WebhookId;
  let hosts: { close(): Promise<void> }[];
  beforeEach(async () => {
    opened = await openStore();
    world = createWebhookWorld(opened.store);
    account = world.newAccount();
    webhookId = await world.register(account, ['session.failed']);
    hosts = [];
  });
  afterEach(async () => {
    await Promise.all(hosts.map((host) => host.close()));
    await opened.close();
  });

  function start(changes: Partial<WebhookProcessPorts> = {}) {
    const { managers } = world.processes(changes);
    const host = startFollowing({ store: opened.store, managers });
    hosts.push(host);
    return host;
  }
  async function reactedToAll(host: ReturnType<typeof start>): Promise<void> {
    await until(() => isPast(opened.store, host.kept, ['webhook_delivery-']));
  }
  const endpoint = async () => {
    const { state } = await world.runner.load(webhookEndpoint, uuidOf(webhookId));
    return state.status === 'none'
      ? undefined
      : { status: state.status, consecutiveFailures: state.failures.length };
  };

  const deliveries = (count: number): Promise<WebhookDeliveryId[]> =>
    Promise.all(Array.from({ length: count }, () => world.replayed(account, webhookId)));

  /** Concurrent first attempts of this many new deliveries. */
  async function attempts(count: number, succeeded: boolean): Promise<void> {
    await Promise.all((await deliveries(count)).map((id) => world.attempt(id, 1, succeeded)));
  }

  /** The expected state: outcomes counted in the order of the log. */
  async function expected(disableAfter = 50) {
    let [consecutiveFailures, status] = [0, 'active'];
    for (const { type, data } of await world.eventsOf('webhook_delivery-')) {
      if (status === 'disabled') break;
      if ((data as { webhookId: WebhookId }).webhookId !== webhookId) continue;
      if (type === 'DeliverySucceeded') consecutiveFailures = 0;
      if (type === 'DeliveryAttemptFailed') consecutiveFailures += 1;
      if (consecutiveFailures === disableAfter) status = 'disabled';
    }
    return { consecutiveFailures, status };
  }

  it('do not disable for 49 failures, a success and 49 failures; one more does', async () => {
    await attempts(49, false);
    await attempts(1, true);
    await attempts(49, false);
    const host = start();
    await reactedToAll(host);
    expect(await endpoint()).to.include({ status: 'active', consecutiveFailures: 49 });
    await attempts(1, false);
    await reactedToAll(host);
    expect(await endpoint()).to.include({ status: 'disabled', consecutiveFailures: 50 });
  });

  it('disable at exactly 50 of many parallel failures, once', async () => {
    const host = start();
    await attempts(60, false);
    await reactedToAll(host);
    expect(await endpoint()).to.include({ status: 'disabled', consecutiveFailures: 50 });
    const types = (await world.eventsOf('webhook_endpoint-')).map(({ type }) => type);
    expect(types.filter((type) => type === 'WebhookFailureCounted')).to.have.length(50);
    expect(types.filter((type) => type === 'WebhookDisabled')).to.have.length(1);
    await attempts(1, true);
    await reactedToAll(host);
    expect(await endpoint()).to.include({ status: 'disabled' });
  });

  /** A store where every other append to an endpoint's stream fails. */
  function unreliable(): EventStore {
    let appends = 0;
    return {
      ...opened.store,
      append: (stream, ...rest) =>
        stream.startsWith('webhook_endpoint-') && (appends += 1) % 2 === 1
          ? Promise.reject(new Error('not this time'))
          : opened.store.append(stream, ...rest),
    };
  }

  it('follow the log when a success races the disabling failure, while some counts fail', async () => {
    for (let round = 0; round < 3; round += 1) {
      webhookId = await world.register(account, ['session.failed']);
      await attempts(4, false);
      const host = start({ disableAfter: 5, store: unreliable() });
      const racing = await deliveries(2);
      await Promise.all(racing.map((id, index) => world.attempt(id, 1, index === round % 2)));
      await reactedToAll(host);
      await host.close();
      expect(await endpoint()).to.include(await expected(5));
    }
  });

  it('are exact even if two hosts at once consider themselves the only one', async () => {
    const both = [start(), start()];
    const ids = await deliveries(60);
    await Promise.all(ids.map((id, index) => world.attempt(id, 1, index % 5 < 2)));
    await Promise.all(both.map(reactedToAll));
    expect(await endpoint()).to.include(await expected());
    await attempts(4, false);
    await Promise.all(both.map(reactedToAll));
    expect(await endpoint()).to.include(await expected());
  });

  it('take into account what another host counted between two terms of this one', async () => {
    const { managers } = world.processes();
    const { store } = opened;
    const first = startFollowing({ store, managers });
    await attempts(1, true);
    await reactedToAll(first);
    await first.close();
    const other = startFollowing({ store, managers: world.processes().managers, kept: first.kept });
    await attempts(2, false);
    await reactedToAll(other);
    await other.close();
    const second = startFollowing({ store, managers, kept: other.kept });
    hosts.push(second);
    await attempts(1, true);
    await reactedToAll(second);
    expect(await endpoint()).to.include({ consecutiveFailures: 0 });
  });

  it('are counted once if events are redelivered', async () => {
    for (const id of await deliveries(10)) {
      await world.attempt(id, 1, false);
      await world.attempt(id, 2, uuidOf(id).endsWith('0'));
    }
    await reactedToAll(start());
    const before = await world.eventsOf('webhook_endpoint-');
    await Promise.all([reactedToAll(start()), reactedToAll(start())]);
    expect(await world.eventsOf('webhook_endpoint-')).to.deep.equal(before);
    expect(await endpoint()).to.include(await expected());
  });

  it('need no read and no append if they are successes of an endpoint known to have no failures', async () => {
    const calls: string[] = [];
    const counting: EventStore = {
      ...opened.store,
      readStream: (stream, options) => {
        calls.push(stream);
        return opened.store.readStream(stream, options);
      },
      append: (stream, ...rest) => {
        calls.push(stream);
        return opened.store.append(stream, ...rest);
      },
    };
    const host = start({ store: counting });
    await attempts(1, true);
    await reactedToAll(host);
    const stream = `webhook_endpoint-${uuidOf(webhookId)}`;
    expect(calls).to.include(stream);
    calls.splice(0);
    await attempts(20, true);
    await reactedToAll(host);
    expect(calls).to.deep.equal([]);
    await attempts(1, false);
    await attempts(1, true);
    await reactedToAll(host);
    const types = (await world.eventsOf('webhook_endpoint-')).map(({ type }) => type);
    const last: WebhookEndpointEvent['type'][] = ['WebhookFailureCounted', 'WebhookFailuresCleared'];
    expect(types.slice(-2)).to.deep.equal(last);
  });
});

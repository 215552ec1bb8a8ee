import { expect } from 'chai';
import { uuidOf, type AccountId, type WebhookDeliveryId, type WebhookId } from '../../../contracts/ids.ts';
import { webhookEndpoint } from '../../../domain/webhook-endpoint/webhook-endpoint.ts';
import type { EventStore } from '../../../infra/event-store/client/types.ts';
import { until } from '../../../infra/verification/testbed/index.ts';
import { useStore } from '../../session/testing.ts';
import { isPast, never, startFollowing, type Kept } from '../engine/testing.ts';
import { retryParked } from '../engine/reactions.ts';
import { createWebhookWorld, type WebhookWorld } from './testing.ts';

/** Attempts in the order of the log; `*` follows one that cannot be counted at first. */
const failuresLeft: Readonly<Record<string, number>> = {
  'F F* F': 3,
  'F* S': 0,
  'F* S F': 1,
  'F F S* F': 1,
  'F* S* F': 1,
  'S F* F S': 0,
};

describe('webhook outcomes that are counted late', () => {
  const opened = useStore();
  let world: WebhookWorld;
  let account: AccountId;
  let refused: Set<unknown>;
  beforeEach(() => {
    world = createWebhookWorld(opened.store);
    account = world.newAccount();
    refused = new Set();
  });

  /** A store that fails to append outcomes of some attempts. */
  const picky = (): EventStore => ({
    ...opened.store,
    append: (stream, expected, events) => {
      const isRefused = events.some(({ data }) => refused.has((data as { deliveryId?: unknown }).deliveryId));
      return stream.startsWith('webhook_endpoint-') && isRefused
        ? Promise.reject(new Error('not this one'))
        : opened.store.append(stream, expected, events);
    },
  });

  async function following(kept: Kept | undefined, work: () => Promise<void>): Promise<Kept> {
    const { managers } = world.processes({ store: picky() });
    const host = startFollowing({ store: opened.store, managers, ...(kept && { kept }) });
    await work();
    await until(() => isPast(opened.store, host.kept, ['webhook_delivery-']));
    await host.close();
    return host.kept;
  }
  const mended = async (kept: Kept): Promise<void> => {
    refused.clear();
    const { managers } = world.processes({ store: picky() });
    const host = startFollowing({ store: opened.store, managers, kept });
    await retryParked(host.ports, never);
    await host.close();
    expect([...kept.parked.values()]).to.deep.equal([]);
  };

  interface Endpoint {
    readonly story: string;
    readonly webhookId: WebhookId;
  }
  const endpoints = (): Promise<Endpoint[]> =>
    Promise.all(
      Object.keys(failuresLeft).map(async (story) => ({ story, webhookId: await world.register(account) })),
    );
  const attempt = async (webhookId: WebhookId, each: string | undefined): Promise<void> => {
    if (each === undefined) return;
    const id: WebhookDeliveryId = await world.replayed(account, webhookId);
    if (each.endsWith('*')) refused.add(id);
    await world.attempt(id, 1, each.startsWith('S'));
  };
  const failuresOf = async ({ webhookId }: Endpoint): Promise<number | undefined> => {
    const { state } = await world.runner.load(webhookEndpoint, uuidOf(webhookId));
    return state.status === 'active' ? state.failures.length : undefined;
  };
  async function expectToBeRight(registered: readonly Endpoint[]): Promise<void> {
    const counts = await Promise.all(
      registered.map(async (each) => [each.story, await failuresOf(each)] as const),
    );
    expect(Object.fromEntries(counts)).to.deep.equal(failuresLeft);
  }

  it('give the count of the order of the log', async () => {
    const registered = await endpoints();
    const kept = await following(undefined, async () => {
      await Promise.all(
        registered.map(async ({ story, webhookId }) => {
          for (const each of story.split(' ')) await attempt(webhookId, each);
        }),
      );
    });
    expect(kept.parked.size).to.be.at.least(6);
    await mended(kept);
    await expectToBeRight(registered);
  });

  it('give it too if another host follows after each, and counts later outcomes', async () => {
    const registered = await endpoints();
    let kept: Kept | undefined;
    for (let place = 0; place < 4; place += 1)
      kept = await following(kept, async () => {
        await Promise.all(
          registered.map(({ story, webhookId }) => attempt(webhookId, story.split(' ')[place])),
        );
      });
    if (kept === undefined) throw new Error('No host was there.');
    await mended(kept);
    await expectToBeRight(registered);
  });
});

import { expect } from 'chai';
import { uuidOf, type WebhookId } from '../../contracts/ids.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import type { EventStore, Position } from '../../infra/event-store/client/types.ts';
import { createWebhookWorld, type WebhookWorld } from '../process-managers/webhook-delivery/testing.ts';
import { openStore, quiet } from '../session/testing.ts';
import { Snapshots } from '../engine/snapshots.ts';
import { createSubscriptions } from './subscriptions.ts';

describe('subscriptions as of a position in the log', () => {
  let opened: Awaited<ReturnType<typeof openStore>>;
  let world: WebhookWorld;
  let webhookId: WebhookId;
  let store: EventStore;
  let reads: string[];
  beforeEach(async () => {
    opened = await openStore();
    world = createWebhookWorld(opened.store);
    webhookId = await world.register(world.newAccount(), ['session.failed']);
    await world.change(webhookId, ['session.completed']);
    reads = [];
    store = {
      ...opened.store,
      readStream: (stream, options = {}) => {
        reads.push(`${stream} from ${options.from ?? 'start'}`);
        return opened.store.readStream(stream, options);
      },
    };
  });
  afterEach(() => opened.close());

  const stream = () => `webhook_endpoint-${uuidOf(webhookId)}`;
  /** Positions right after each of the endpoint's events. */
  const placesAfter = async (): Promise<Position[]> =>
    (await world.eventsOf(stream())).map(({ position: { commit, prepare } }) => ({
      commit: commit + 1n,
      prepare: prepare + 1n,
    }));

  it('are read from the last snapshot on, and from earlier only if that is asked for', async () => {
    const { state } = await world.runner.load(webhookEndpoint, uuidOf(webhookId));
    await new Snapshots(opened.store, quiet).save(
      webhookEndpoint,
      stream(),
      { state, revision: 1n, recent: [] },
      null,
    );
    await world.change(webhookId, ['api_key.revoked']);
    const [registered, changed, changedAgain] = await placesAfter();
    if (!registered || !changed || !changedAgain) throw new Error('The endpoint has three events.');
    const subscriptions = createSubscriptions({ store, logger: quiet });
    expect(await subscriptions.of(webhookId, changedAgain)).to.deep.equal(['api_key.revoked']);
    expect(await subscriptions.of(webhookId, changed)).to.deep.equal(['session.completed']);
    expect(reads).not.to.include(`${stream()} from start`);
    expect(await subscriptions.of(webhookId, registered)).to.deep.equal(['session.failed']);
    expect(reads).to.include(`${stream()} from start`);
  });

  it('are read once, and again after an event that changes them', async () => {
    const subscriptions = createSubscriptions({ store, logger: quiet });
    const [registered] = await placesAfter();
    if (!registered) throw new Error('The endpoint has events.');
    await subscriptions.of(webhookId, registered);
    const first = reads.length;
    for (const event of await world.eventsOf(stream())) {
      if (event.type !== 'WebhookChanged') continue;
      await subscriptions.of(webhookId, registered);
      expect(reads).to.have.length(first);
      subscriptions.observe(event);
      subscriptions.observe({ ...event, type: 'WebhookFailureCounted' });
    }
    await subscriptions.of(webhookId, registered);
    expect(reads).to.have.length(2 * first);
  });
});

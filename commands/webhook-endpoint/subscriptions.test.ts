import { expect } from 'chai';
import { uuidOf, type AccountId, type WebhookId } from '../../contracts/ids.ts';
import { accountWebhooks } from '../../domain/account-webhooks.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import type { EventStore, Position } from '../../infra/event-store/client/types.ts';
import { createWebhookWorld, type WebhookWorld } from '../process-managers/webhook-delivery/testing.ts';
import { newContext, openStore, quiet } from '../session/testing.ts';
import { Snapshots } from '../engine/snapshots.ts';
import { createSubscriptions } from './subscriptions.ts';

describe('subscriptions as of a position in the log', () => {
  let opened: Awaited<ReturnType<typeof openStore>>;
  let world: WebhookWorld;
  let webhookId: WebhookId;
  let store: EventStore;
  let reads: string[];
  let accountId: AccountId;
  beforeEach(async () => {
    opened = await openStore();
    world = createWebhookWorld(opened.store);
    accountId = world.newAccount();
    webhookId = await world.register(accountId, ['session.failed']);
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

  it('of an endpoint that was deleted are read for earlier positions only', async () => {
    const release = {
      type: 'Release',
      accountId,
      id: webhookId,
      name: null,
      at: new Date().toISOString(),
    } as const;
    await world.remove(webhookId);
    await world.runner.run(accountWebhooks, uuidOf(accountId), release, newContext(accountId));
    const other = await world.register(accountId, ['session.failed']);
    const [registered] = await placesAfter();
    const last = (await world.eventsOf('webhook_endpoint-')).at(-1)?.position;
    if (!registered || !last) throw new Error('The endpoints have events.');
    const subscriptions = createSubscriptions({ store, logger: quiet });
    const after = { commit: last.commit + 1n, prepare: last.prepare + 1n };
    expect(await subscriptions.to(accountId, 'session.failed', after)).to.deep.equal([other]);
    expect(reads).not.to.include(`${stream()} from start`);
    expect(await subscriptions.to(accountId, 'session.failed', registered)).to.deep.equal([webhookId]);
  });

  it('of an account are read from its last known endpoint on', async () => {
    const subscriptions = createSubscriptions({ store, logger: quiet });
    const endpoints = `account_webhooks-${uuidOf(accountId)}`;
    const last = async () => {
      const { commit, prepare } = (await world.eventsOf('webhook_endpoint-')).at(-1)?.position ?? {
        commit: 0n,
        prepare: 0n,
      };
      return { commit: commit + 1n, prepare: prepare + 1n };
    };
    expect(await subscriptions.to(accountId, 'session.completed', await last())).to.deep.equal([webhookId]);
    const other = await world.register(accountId, ['session.completed']);
    for (const event of await world.eventsOf(endpoints)) subscriptions.observe(event);
    const both = await subscriptions.to(accountId, 'session.completed', await last());
    expect(both).to.deep.equal([webhookId, other]);
    const ofAccount = reads.filter((each) => each.startsWith(endpoints));
    expect(ofAccount).to.deep.equal([`${endpoints} from 0`, `${endpoints} from 1`]);
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

import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { uuidOf } from '../../../contracts/ids.ts';
import { webhookEndpoint } from '../../../domain/webhook-endpoint/webhook-endpoint.ts';
import { systemPause } from '../../../infra/platform/clock.ts';
import type { EventStore, RecordedEvent } from '../../../infra/event-store/client/types.ts';
import { createRunner } from '../../engine/runner.ts';
import { newContext, useStore, quiet } from '../../session/testing.ts';
import { startFollowing } from '../engine/testing.ts';
import { reactTo } from '../engine/reactions.ts';
import { createWebhookWorld } from './testing.ts';

const never = new AbortController().signal;

describe('an endpoint with outcomes that arrive without a pause', () => {
  const opened = useStore();

  /** A store with some network latency. */
  const afar = (store: EventStore): EventStore => ({
    ...store,
    append: async (...order) => {
      await systemPause(4, never);
      return store.append(...order);
    },
  });

  it('accepts commands of its owner all the same, and counts many outcomes in few appends', async () => {
    const { store } = opened;
    const world = createWebhookWorld(store);
    const account = world.newAccount();
    const webhookId = await world.register(account);
    for (const succeeded of [false, true])
      await world.attempt(await world.replayed(account, webhookId), 1, succeeded);
    const made = (await world.eventsOf('webhook_delivery-')).filter(
      ({ type }) => type !== 'DeliveryScheduled',
    );

    const { managers } = world.processes();
    const host = startFollowing({ store, managers });
    let sent = 0;
    const outcome = (): RecordedEvent => {
      const event = made[sent % 2];
      if (event === undefined) throw new Error('Nothing was attempted.');
      sent += 1;
      return {
        ...event,
        id: uuidv7(),
        position: { ...event.position, commit: 1_000_000_000n + BigInt(sent) },
      };
    };
    let isOver = false;
    const storm = Array.from({ length: 20 }, async () => {
      while (!isOver) await reactTo(host.ports, outcome(), never);
    });

    const owner = createRunner({ store: afar(store), logger: quiet, cacheEntries: 10 });
    for (let round = 0; round < 20; round += 1) {
      const at = new Date().toISOString();
      const command = { type: 'ChangeWebhook', events: undefined, description: `${round}`, at } as const;
      await owner.run(webhookEndpoint, uuidOf(webhookId), command, newContext(account));
    }
    isOver = true;
    await Promise.all(storm);
    await host.close();
    const history: RecordedEvent[] = [];
    for await (const event of store.readStream(`webhook_endpoint-${uuidOf(webhookId)}`)) history.push(event);
    const counts = history.filter(({ type }) => type.includes('Failure'));
    const causes = new Set(counts.map(({ metadata }) => metadata.causation_id));
    expect(counts.length).to.be.above(5 * causes.size);
    expect(history.filter(({ type }) => type === 'WebhookChanged')).to.have.length(20);
  });
});

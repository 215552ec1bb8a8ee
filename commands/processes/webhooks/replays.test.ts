import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import {
  toId,
  uuidOf,
  type AccountId,
  type WebhookDeliveryId,
  type WebhookId,
  type WebhookReplayId,
} from '../../../contracts/ids.ts';
import type { SubscribableEventType } from '../../../contracts/webhooks/event-types.ts';
import { webhookReplay } from '../../../domain/webhook-replay/index.ts';
import { until } from '../../../infra/testbed/index.ts';
import { startReadSide, type ReadSide } from '../../../projections/fixture.ts';
import { newContext } from '../../sessions/test-world.ts';
import { isPast, startFollowing, type Kept } from '../fixture.ts';
import { createWebhookWorld, type WebhookWorld } from './fixture.ts';
import { replaySourceIn, type WebhookProcessPorts } from './index.ts';

describe('webhook replays', () => {
  let side: ReadSide;
  let world: WebhookWorld;
  let account: AccountId;
  let hosts: { close(): Promise<void> }[];
  before(async () => {
    side = await startReadSide();
    side.project({ standbyMs: 20 });
  });
  after(() => side.close());
  beforeEach(() => {
    world = createWebhookWorld(side.store);
    account = world.newAccount();
    hosts = [];
  });
  afterEach(() => Promise.all(hosts.map((host) => host.close())));

  function start(changes: Partial<WebhookProcessPorts> = {}, kept?: Kept) {
    const { managers, sweeps } = world.processes({
      source: replaySourceIn(side.postgres.pool),
      pace: { stepEvents: 4, openDeliveries: 1000 },
      ...changes,
    });
    const host = startFollowing({ store: side.store, managers, ...(kept && { kept }) });
    hosts.push(host);
    return { ...host, sweep: () => Promise.all(sweeps.map(({ run }) => run())) };
  }

  async function request(
    webhookId: WebhookId,
    types: readonly SubscribableEventType[] | null,
    [since, until] = ['2026-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z'],
  ): Promise<WebhookReplayId> {
    const replayId = toId('webhookReplay', uuidv7());
    const order = { replayId, webhookId, accountId: account, since, until, types };
    const command = { type: 'RequestReplay', ...order, at: new Date().toISOString() } as const;
    await world.runner.run(webhookReplay, uuidOf(replayId), command, newContext(account));
    return replayId;
  }
  const happenings = async (count: number): Promise<void> => {
    for (let made = 0; made < count; made += 1) await world.happen(account);
  };

  const replayOf = async (replayId: WebhookReplayId) => {
    const { state } = await world.runner.load(webhookReplay, uuidOf(replayId));
    return state.status === 'none' ? undefined : state;
  };
  const ended = (replayId: WebhookReplayId) =>
    until(async () => {
      const replay = await replayOf(replayId);
      return replay !== undefined && replay.status !== 'running' && replay;
    });

  interface Scheduled {
    readonly deliveryId: WebhookDeliveryId;
    readonly webhookId: WebhookId;
    readonly replayId: WebhookReplayId | null;
    readonly eventId: string;
    readonly body: string;
    readonly trigger: string;
  }
  const scheduledTo = async (id: WebhookId): Promise<Scheduled[]> =>
    (await world.eventsOf('webhook_delivery-'))
      .filter(({ type }) => type === 'DeliveryScheduled')
      .map(({ data }) => data as Scheduled)
      .filter(({ webhookId }) => webhookId === id);

  it('send the same ids and bytes again, also what happened before the endpoint was there', async () => {
    const first = await world.register(account);
    await happenings(10);
    const host = start();
    await until(async () => (await scheduledTo(first)).length === 10);
    const second = await world.register(account);
    const replayId = await request(second, null);
    expect(await ended(replayId)).to.include({ status: 'completed', scheduled: 10 });
    const [before, after] = [await scheduledTo(first), await scheduledTo(second)];
    const sent = ({ eventId, body }: Scheduled) => `${eventId} ${body}`;
    expect(after.map(sent).sort()).to.deep.equal(before.map(sent).sort());
    expect(new Set(after.map((each) => `${each.trigger} ${each.replayId ?? ''}`))).to.deep.equal(
      new Set([`replay ${replayId}`]),
    );
    await until(() => world.woken.length === 20);
    expect(host.kept.parked.size).to.equal(0);
  });

  it('go on after a crash anywhere, and send nothing twice', async () => {
    const webhookId = await world.register(account, ['session.failed']);
    await happenings(18);
    const replayId = await request(webhookId, ['api_key.revoked']);
    let kept: Kept | undefined;
    for (let steps = 1; steps <= 4; steps += 1) {
      const host = start({}, kept);
      await until(async () => (await scheduledTo(webhookId)).length >= Math.min(18, 4 * steps - 2));
      await host.close();
      // Every other one comes to a checkpoint that was lost with the crash.
      kept = steps % 2 === 0 ? host.kept : undefined;
    }
    start({}, kept);
    expect(await ended(replayId)).to.include({ status: 'completed', scheduled: 18 });
    expect(await scheduledTo(webhookId)).to.have.length(18);
  });

  it('change nothing when everything comes again', async () => {
    const webhookId = await world.register(account);
    await happenings(6);
    const replayId = await request(webhookId, null);
    start();
    await ended(replayId);
    const again = start();
    const prefixes = ['webhook_', 'api_key-', 'account_webhooks-'];
    await until(() => isPast(side.store, again.kept, prefixes));
    expect((await scheduledTo(webhookId)).length).to.equal(12);
  });

  it('take what the endpoint subscribed to when they were requested, of the range that was asked for', async () => {
    const webhookId = await world.register(account, ['session.failed']);
    const at = (day: number) => `2026-02-0${day}T00:00:00.000Z`;
    for (const day of [1, 2, 3]) await world.happen(account, at(day));
    const none = await request(webhookId, null);
    await world.change(webhookId, ['api_key.revoked']);
    const middle = await request(webhookId, null, [at(2), at(3)]);
    await world.happen(account, at(2));
    await world.change(webhookId, ['session.failed']);
    start();
    expect(await ended(none)).to.include({ status: 'completed', scheduled: 0 });
    expect(await ended(middle)).to.include({ status: 'completed', scheduled: 1 });
  });

  it('are abandoned when their endpoint is deleted or disabled', async () => {
    const [deleted, disabled] = [await world.register(account), await world.register(account)];
    await happenings(2);
    const ids = [await request(deleted, null), await request(disabled, null)];
    await world.remove(deleted);
    await world.disable(disabled);
    start();
    for (const id of ids) expect(await ended(id)).to.include({ status: 'abandoned', scheduled: 0 });
  });

  it('wait while their endpoint is behind, and are taken up by the sweep', async () => {
    const webhookId = await world.register(account, ['session.failed']);
    await happenings(9);
    const replayId = await request(webhookId, ['api_key.revoked']);
    const host = start({ pace: { stepEvents: 4, openDeliveries: 4 } });
    await until(() => isPast(side.store, host.kept, ['webhook_replay-']));
    expect(await replayOf(replayId)).to.include({ status: 'running', scheduled: 4 });
    await host.sweep();
    expect(await replayOf(replayId)).to.include({ status: 'running', scheduled: 4 });
    for (const { deliveryId } of await scheduledTo(webhookId)) await world.attempt(deliveryId, 1, true);
    await side.caughtUp();
    await host.sweep();
    await until(() => isPast(side.store, host.kept, ['webhook_replay-']));
    expect(await replayOf(replayId)).to.include({ status: 'running', scheduled: 8 });
    for (const { deliveryId } of await scheduledTo(webhookId)) await world.attempt(deliveryId, 1, true);
    await side.caughtUp();
    await host.sweep();
    expect(await ended(replayId)).to.include({ status: 'completed', scheduled: 9 });
  });
});

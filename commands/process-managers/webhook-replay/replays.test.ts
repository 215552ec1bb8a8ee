import { replayReadsIn } from '../../../infra/main/composition/processes.ts';
import { countOpenDeliveriesOf } from '../../../projections/queries/webhook-delivery.ts';
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import {
  type AccountId,
  toId,
  uuidOf,
  type WebhookDeliveryId,
  type WebhookId,
  type WebhookReplayId,
} from '../../../contracts/ids.ts';
import type { Refusal } from '../../../contracts/problems.ts';
import type { SubscribableEventType } from '../../../contracts/webhooks/event-types.ts';
import { webhookReplay } from '../../../domain/webhook-replay.ts';
import { until } from '../../../infra/verification/testbed/index.ts';
import { type ReadSide, startReadSide } from '../../../projections/testing/index.ts';
import { newContext } from '../../session/testing.ts';
import { isPast, type Kept, never, startFollowing } from '../engine/testing.ts';
import { createWebhookWorld, type WebhookWorld } from '../webhook-delivery/testing.ts';
import { replaySource, type WebhookProcessPorts } from '../webhook-delivery/index.ts';

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
      source: replaySource(replayReadsIn(side.postgres.pool)),
      pace: { stepEvents: 4, openDeliveries: 1000 },
      ...changes,
    });
    const host = startFollowing({ store: side.store, managers, ...(kept && { kept }) });
    hosts.push(host);
    return { ...host, sweep: () => Promise.all(sweeps.map(({ run }) => run(never))) };
  }

  async function request(
    webhookId: WebhookId,
    types: readonly SubscribableEventType[] | null,
    [since, until] = ['2026-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z'],
    runner = world.runner,
  ): Promise<WebhookReplayId> {
    const replayId = toId('webhookReplay', uuidv7());
    const order = { replayId, webhookId, accountId: account, since, until, types };
    const command = { type: 'RequestReplay', ...order, at: new Date().toISOString() } as const;
    await runner.run(webhookReplay, uuidOf(webhookId), command, newContext(account));
    return replayId;
  }
  const cancel = (webhookId: WebhookId, replayId: WebhookReplayId) => {
    const command = { type: 'CancelReplay', replayId, at: new Date().toISOString() } as const;
    return world.runner.run(webhookReplay, uuidOf(webhookId), command, newContext(account));
  };
  const happenings = async (count: number): Promise<void> => {
    for (let made = 0; made < count; made += 1) await world.happen(account);
  };

  const replayTo = async (webhookId: WebhookId) => {
    const { state } = await world.runner.load(webhookReplay, uuidOf(webhookId));
    return state.status === 'none' ? undefined : state;
  };
  const ended = (webhookId: WebhookId) =>
    until(async () => {
      const replay = await replayTo(webhookId);
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

  it('send the same ids and bytes again, including events from before the endpoint existed', async () => {
    const first = await world.register(account);
    await happenings(10);
    const host = start();
    await until(async () => (await scheduledTo(first)).length === 10);
    const second = await world.register(account);
    const replayId = await request(second, null);
    expect(await ended(second)).to.include({ replayId, status: 'completed', scheduled: 10 });
    const [before, after] = [await scheduledTo(first), await scheduledTo(second)];
    const sent = ({ eventId, body }: Scheduled) => `${eventId} ${body}`;
    expect(after.map(sent).sort()).to.deep.equal(before.map(sent).sort());
    expect(new Set(after.map((each) => `${each.trigger} ${each.replayId ?? ''}`))).to.deep.equal(
      new Set([`replay ${replayId}`]),
    );
    await until(() => world.woken.length === 20);
    expect(host.kept.parked.size).to.equal(0);
  });

  it('continue after a crash anywhere, and send nothing twice', async () => {
    const webhookId = await world.register(account, ['session.failed']);
    await happenings(18);
    await request(webhookId, ['api_key.revoked']);
    let kept: Kept | undefined;
    for (let steps = 1; steps <= 4; steps += 1) {
      const host = start({}, kept);
      await until(async () => (await scheduledTo(webhookId)).length >= Math.min(18, 4 * steps - 2));
      await host.close();
      // Every other restart finds the checkpoint lost by the crash.
      kept = steps % 2 === 0 ? host.kept : undefined;
    }
    start({}, kept);
    expect(await ended(webhookId)).to.include({ status: 'completed', scheduled: 18 });
    expect(await scheduledTo(webhookId)).to.have.length(18);
  });

  it('follow each other, and change nothing if events are redelivered', async () => {
    const webhookId = await world.register(account);
    await happenings(6);
    start();
    for (let more = 0; more < 2; more += 1) {
      const replayId = await request(webhookId, null);
      expect(await ended(webhookId)).to.include({ replayId, status: 'completed', scheduled: 6, steps: 1 });
      await happenings(more);
    }
    const again = start();
    const prefixes = ['webhook_', 'api_key-', 'account_webhooks-'];
    await until(() => isPast(side.store, again.kept, prefixes));
    expect((await scheduledTo(webhookId)).length).to.equal(6 + 6 + 6 + 1);
  });

  it('run one at a time per endpoint, even if several processes request them at once', async () => {
    const webhookId = await world.register(account);
    const runners = Array.from({ length: 6 }, () => createWebhookWorld(side.store).runner);
    const asked = await Promise.allSettled(
      runners.map((runner) => request(webhookId, null, undefined, runner)),
    );
    const begun = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const refused = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason as Refusal] : []));
    expect(begun).to.have.length(1);
    expect(refused.map(({ slug, extensions }) => [slug, extensions])).to.deep.equal(
      refused.map(() => ['conflict', { active_replay_id: begun[0] }]),
    );
  });

  it('send what the endpoint subscribed to at the request, within the requested range', async () => {
    const [first, second] = [
      await world.register(account, ['session.failed']),
      await world.register(account, ['session.failed']),
    ];
    const at = (day: number) => `2026-02-0${day}T00:00:00.000Z`;
    for (const day of [1, 2, 3]) await world.happen(account, at(day));
    await request(first, null);
    for (const id of [first, second]) await world.change(id, ['api_key.revoked']);
    await request(second, null, [at(2), at(3)]);
    await world.happen(account, at(2));
    await world.change(second, ['session.failed']);
    start();
    expect(await ended(first)).to.include({ status: 'completed', scheduled: 0 });
    expect(await ended(second)).to.include({ status: 'completed', scheduled: 1 });
  });

  it('are abandoned when their endpoint is deleted or disabled', async () => {
    const [deleted, disabled] = [await world.register(account), await world.register(account)];
    await happenings(2);
    for (const id of [deleted, disabled]) await request(id, null);
    await world.remove(deleted);
    await world.disable(disabled);
    start();
    for (const id of [deleted, disabled])
      expect(await ended(id)).to.include({ status: 'abandoned', scheduled: 0 });
  });

  describe('at the limit of open deliveries', () => {
    let webhookId: WebhookId;
    let replayId: WebhookReplayId;
    let host: ReturnType<typeof start>;
    beforeEach(async () => {
      webhookId = await world.register(account);
      await happenings(9);
      host = start({ pace: { stepEvents: 4, openDeliveries: 4 } });
      await until(async () => (await scheduledTo(webhookId)).length === 9);
      replayId = await request(webhookId, null);
      await until(() => isPast(side.store, host.kept, ['webhook_replay-']));
    });

    const stands = async () => (await replayTo(webhookId))?.scheduled;
    const deliver = async () => {
      const own = (await scheduledTo(webhookId)).filter((each) => each.replayId === replayId);
      for (const { deliveryId } of own) await world.attempt(deliveryId, 1, true);
      await side.caughtUp();
    };
    const swept = async () => {
      await host.sweep();
      await until(() => isPast(side.store, host.kept, ['webhook_replay-']));
    };

    it('wait only for their own deliveries, and are continued by the sweep', async () => {
      expect(await stands()).to.equal(4);
      await swept();
      expect(await stands()).to.equal(4);
      await deliver();
      await swept();
      expect(await stands()).to.equal(8);
      await deliver();
      await swept();
      expect(await ended(webhookId)).to.include({ status: 'completed', scheduled: 9 });
    });

    it('wait for the deliveries of cancelled ones', async () => {
      await cancel(webhookId, replayId);
      await request(webhookId, null);
      await until(() => isPast(side.store, host.kept, ['webhook_replay-']));
      await swept();
      expect(await stands()).to.equal(0);
      await deliver();
      await swept();
      expect(await stands()).to.equal(4);
    });

    it('schedule no more once cancelled, and another one may start', async () => {
      await cancel(webhookId, replayId);
      await deliver();
      await swept();
      expect(await replayTo(webhookId)).to.include({ status: 'abandoned', scheduled: 4 });
      const next = await request(webhookId, null);
      await until(async () => (await stands()) === 4);
      expect(await replayTo(webhookId)).to.include({ replayId: next, status: 'running' });
      expect(await scheduledTo(webhookId)).to.have.length(9 + 4 + 4);
    });
  });

  it('are found among many others by an index of the running ones', async () => {
    const { pool } = side.postgres;
    await pool.query(
      `insert into read_model.webhook_deliveries (id, account_id, endpoint_id, event_id, event_type, status, trigger,
         replay_id, attempt_count, created_at, updated_at, attempts, commit_position, prepare_position)
       select 'dlv_' || gen_random_uuid(), '', 'whk_many', gen_random_uuid(), 'session.completed',
         case when i % 2 = 0 then 'pending' else 'delivered' end, 'replay',
         case when i % 3 = 0 then 'rpl_many' end, 0, now(), now(), '[]', 0, 0
       from generate_series(1, 20000) as i`,
    );
    await pool.query('analyze read_model.webhook_deliveries');
    const plan: string[] = [];
    const explaining = {
      query: async (text: string, values: unknown[]) => {
        const { rows } = await pool.query<Record<string, string>>(`explain analyze ${text}`, values);
        plan.push(...rows.map((row) => row['QUERY PLAN'] ?? ''));
        return { rows: [] };
      },
    } as unknown as Pick<typeof pool, 'query'>;
    await countOpenDeliveriesOf(explaining, ['rpl_many', 'rpl_few'], 500);
    expect(plan.join('\n')).to.match(/Index (Only )?Scan using webhook_deliveries_replay_id_idx/);
    expect(plan.join('\n')).not.to.match(/Sort|Seq Scan|Removed by Filter/);
  });
});

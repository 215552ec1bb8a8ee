import { expect } from 'chai';
import { uuidOf, type WebhookDeliveryId } from '../../contracts/ids.ts';
import { webhookDelivery } from '../../domain/webhook-delivery/webhook-delivery.ts';
import { EventStoreUnavailable } from '../../infra/event-store/client/index.ts';
import { until } from '../../infra/verification/testbed/until.ts';
import { useStore } from '../session/testing.ts';
import { createDeliveriesWorld, failed, succeeded, type DeliveriesWorld } from './testing.ts';
import { createCancelling, wakeUpIdOf, type AttemptSeen, type DeliveryPorts } from './index.ts';

const minute = 60_000;

describe('the attempts of a delivery', () => {
  const opened = useStore();
  let world: DeliveriesWorld;
  beforeEach(() => {
    world = createDeliveriesWorld(opened.store);
  });
  const at = () => world.clock.now().toISOString();

  it('send exactly the stored body once, signed by the opened secret, and record the outcome', async () => {
    const id = await world.delivery(await world.endpoint());
    const seen: AttemptSeen[] = [];
    const worker = world.worker({ onAttempt: (each) => seen.push(each) });
    expect(await worker.attempt(id, 1)).to.equal(undefined);
    expect(world.sent).to.have.length(1);
    expect(world.sent[0]).to.include({ url: 'https://receiver.test/', body: `{"${id}":1}` });
    expect(world.sent[0]?.secrets).to.deep.equal(['one: sealed one']);
    expect(await world.events(id)).to.deep.equal(['DeliverySucceeded']);
    expect(world.scheduled).to.deep.equal([]);
    expect(seen).to.deep.equal([
      { outcome: 'succeeded', error: null, responseStatus: 200, milliseconds: 3, sinceEventMs: null },
    ]);
  });

  it('report how long the event waited for its first attempt, and nothing for later ones', async () => {
    const created_at = new Date(world.clock.now().getTime() - 7_000).toISOString();
    const id = await world.delivery(await world.endpoint(), JSON.stringify({ created_at }));
    const waits: (number | null)[] = [];
    const worker = world.worker({ onAttempt: ({ sinceEventMs }) => waits.push(sinceEventMs) });
    world.answer = async () => failed;
    await worker.attempt(id, 1);
    world.clock.advance(10 * 60_000);
    await worker.attempt(id, 2);
    expect(waits).to.deep.equal([7_000, null]);
  });

  it('are repeated after 1, 5, 15, 30 and 60 minutes, never sooner, each a little later, and then end', async () => {
    const id = await world.delivery(await world.endpoint());
    world.answer = async () => failed;
    const worker = world.worker();
    for (const [index, minutes] of [1, 5, 15, 30, 60].entries()) {
      expect(await worker.attempt(id, index + 1)).to.equal(undefined);
      const waitMs = minutes * minute * 1.05;
      const due = new Date(world.clock.now().getTime() + waitMs);
      world.clock.advance(waitMs - 1);
      expect(await worker.attempt(id, index + 2)).to.deep.equal({ again: due });
      world.clock.advance(1);
    }
    await worker.attempt(id, 6);
    expect(world.sent).to.have.length(6);
    expect((await world.events(id)).slice(-2)).to.deep.equal([
      'DeliveryAttemptFailed',
      'DeliveryDeadLettered',
    ]);
    expect(await worker.attempt(id, 7)).to.equal(undefined);
    expect(world.sent).to.have.length(6);
  });

  it('are queued from the start if they are due soon, and left to the sweep if not', async () => {
    const id = await world.delivery(await world.endpoint());
    world.answer = async () => failed;
    const worker = world.worker();
    await worker.attempt(id, 1);
    const due = new Date(world.clock.now().getTime() + minute * 1.05);
    expect(world.scheduled).to.deep.equal([`${wakeUpIdOf(id, 2)} ${due.toISOString()}`]);
    world.clock.advance(minute * 1.05);
    await worker.attempt(id, 2);
    expect(world.sent).to.have.length(2);
    expect(world.scheduled).to.have.length(1);
  });

  it('do nothing about a delivery that does not exist, or has ended', async () => {
    const endpoint = await world.endpoint();
    const id = await world.delivery(endpoint);
    const worker = world.worker();
    await worker.attempt(id, 1);
    await worker.attempt(id, 1);
    await worker.attempt(id, 2);
    await worker.attempt('dlv_0197f1a0-0000-7000-8000-000000000000', 1);
    expect(world.sent).to.have.length(1);
  });

  it('send nothing to an endpoint that is deleted or disabled, nor for an account that is erased', async () => {
    const deleted = await world.endpoint();
    const disabled = await world.endpoint();
    const erased = await world.endpoint();
    const ids = await Promise.all([deleted, disabled, erased].map((each) => world.delivery(each)));
    await world.change(deleted, { type: 'DeleteWebhook', at: at() });
    const [deliveryId = 'dlv_'] = ids;
    const outcomes = [{ deliveryId, attempt: 1, succeeded: false, position: 1n }];
    const facts = { isIncomplete: false, disableAfter: 1, at: at() };
    await world.change(disabled, { type: 'CountOutcomes', outcomes, ...facts });
    const worker = world.worker({ vault: { open: async () => ({ erased: true }) } });
    for (const id of ids) await worker.attempt(id, 1);
    expect(world.sent).to.deep.equal([]);
    const reasons = await Promise.all(
      ids.map(async (id) => {
        const found = [];
        for await (const { type, data } of opened.store.readStream(`webhook_delivery-${uuidOf(id)}`))
          if (type === 'DeliveryCancelled') found.push((data as { reason: string }).reason);
        return found;
      }),
    );
    expect(reasons).to.deep.equal([['webhook_deleted'], ['webhook_disabled'], ['account_erased']]);
  });

  it('are cancelled before they are due once the endpoint is deleted or disabled, and not before', async () => {
    const endpoint = await world.endpoint();
    const [kept, id] = [await world.delivery(await world.endpoint()), await world.delivery(endpoint)];
    world.answer = async () => failed;
    await world.worker().attempt(id, 1);
    await world.change(endpoint, { type: 'DeleteWebhook', at: at() });
    const cancel = createCancelling({ ...world, now: () => performance.now() });
    await Promise.all([kept, id, id].map(cancel));
    expect(await world.events(id)).to.deep.equal(['DeliveryAttemptFailed', 'DeliveryCancelled']);
    expect(await world.events(kept)).to.deep.equal([]);
  });

  it('sign with both secrets until the grace ends, to the instant', async () => {
    const endpoint = await world.endpoint();
    const graceEndsAt = new Date(world.clock.now().getTime() + 1000).toISOString();
    const secret = { secretId: 'two', sealed: 'sealed two', remindAt: at() };
    const grace = { graceEndsAt, graceNoticeAt: graceEndsAt };
    await world.change(endpoint, { type: 'RotateSecret', secret, ...grace, at: at() });
    const worker = world.worker();
    const both = ['two: sealed two', 'one: sealed one'];
    world.clock.advance(999);
    await worker.attempt(await world.delivery(endpoint), 1);
    world.clock.advance(1);
    await worker.attempt(await world.delivery(endpoint), 1);
    expect(world.sent.map(({ secrets }) => secrets)).to.deep.equal([both, both.slice(0, 1)]);
  });

  it('sign with both secrets from the rotation on, for events after it in the log', async () => {
    const endpoint = await world.endpoint();
    const worker = world.worker();
    await worker.attempt(await world.delivery(endpoint), 1);
    const graceEndsAt = new Date(world.clock.now().getTime() + 1000).toISOString();
    const secret = { secretId: 'two', sealed: 'sealed two', remindAt: at() };
    const grace = { graceEndsAt, graceNoticeAt: graceEndsAt };
    await world.change(endpoint, { type: 'RotateSecret', secret, ...grace, at: at() });
    for await (const event of opened.store.readStream(`webhook_endpoint-${uuidOf(endpoint)}`))
      worker.observe(event);
    await worker.attempt(await world.delivery(endpoint), 1);
    expect(world.sent.map(({ secrets }) => secrets.length)).to.deep.equal([1, 2]);
  });

  describe('interrupted anywhere', () => {
    it('before its outcome is recorded, is made again, with the same bytes', async () => {
      const id = await world.delivery(await world.endpoint());
      world.answer = () => new Promise(() => undefined);
      void world.worker().attempt(id, 1);
      await until(() => world.sent.length === 1);
      world.answer = async () => succeeded;
      await world.worker().attempt(id, 1);
      expect(world.sent[1]?.body).to.equal(world.sent[0]?.body);
      expect(await world.events(id)).to.deep.equal(['DeliverySucceeded']);
    });

    it('before the next one is scheduled, is followed by a process that schedules it', async () => {
      const id = await world.delivery(await world.endpoint());
      world.answer = async () => failed;
      const lost = { schedule: () => Promise.reject(new Error('gone')), hasten: async () => undefined };
      await world.worker({ wakeUps: lost }).attempt(id, 1);
      expect(world.scheduled).to.deep.equal([]);
      expect(await world.worker().attempt(id, 1)).to.equal(undefined);
      expect(world.scheduled).to.have.length(1);
      expect(world.scheduled[0]).to.contain(wakeUpIdOf(id, 2));
      expect(world.sent).to.have.length(1);
    });
  });

  it('are recorded once if two workers make the same one, with the first recorded outcome', async () => {
    const id = await world.delivery(await world.endpoint());
    const answers = [failed, succeeded];
    let arrived = 0;
    world.answer = async () => {
      const answer = answers[arrived] ?? failed;
      arrived += 1;
      await until(() => arrived === 2);
      return answer;
    };
    await Promise.all([world.worker().attempt(id, 1), world.worker().attempt(id, 1)]);
    const events = await world.events(id);
    expect(events).to.have.length(1);
    expect(world.scheduled).to.have.length(events[0] === 'DeliverySucceeded' ? 0 : 1);
  });

  it('are not made twice at once by one worker, whatever the queue delivers', async () => {
    const id = await world.delivery(await world.endpoint());
    const worker = world.worker();
    const [first, second] = await Promise.all([worker.attempt(id, 1), worker.attempt(id, 1)]);
    expect(first).to.equal(undefined);
    expect(second?.again).to.be.instanceOf(Date);
    expect(world.sent).to.have.length(1);
  });

  it('wait for an unavailable store to record them, and are not repeated for that', async () => {
    const id = await world.delivery(await world.endpoint());
    let refusals = 2;
    const { runner } = world;
    const flaky: DeliveryPorts['runner'] = {
      load: runner.load,
      run: (decider, ...order) => {
        if (decider.category.name !== webhookDelivery.category.name || refusals === 0)
          return runner.run(decider, ...order);
        refusals -= 1;
        return Promise.reject(new EventStoreUnavailable('away'));
      },
    };
    await world.worker({ runner: flaky, pause: async () => undefined }).attempt(id, 1);
    expect(await world.events(id)).to.deep.equal(['DeliverySucceeded']);
    expect(world.sent).to.have.length(1);
  });

  it('are retried later if something on our side fails', async () => {
    const id = await world.delivery(await world.endpoint());
    const away = { open: () => Promise.reject(new Error('the vault is away')) };
    const answer = await world.worker({ vault: away }).attempt(id, 1);
    const waitMs = (answer?.again.getTime() ?? 0) - world.clock.now().getTime();
    expect(waitMs).to.be.within(5000, 10_000);
    expect(world.sent).to.deep.equal([]);
    expect(await world.worker().attempt(id, 1)).to.equal(undefined);
  });

  it('of a backlog use only the slots of the endpoint, in order, each called when it is its turn', async () => {
    const endpoint = await world.endpoint();
    const other = await world.endpoint();
    const ids: WebhookDeliveryId[] = [];
    for (let i = 0; i < 60; i += 1) ids.push(await world.delivery(endpoint));
    let underWay = 0;
    let most = 0;
    world.answer = async ({ body }) => {
      if (!ids.some((id) => body.includes(id))) return succeeded;
      underWay += 1;
      most = Math.max(most, underWay);
      await until(() => most > 1);
      underWay -= 1;
      return succeeded;
    };
    const asleep = new Set<string>();
    const worker = world.worker({
      // Waiting callers and calls never time out by this clock, however slow the machine is.
      after: () => () => undefined,
      now: () => 0,
      wakeUps: {
        schedule: async () => undefined,
        hasten: async (id) => {
          if (asleep.delete(id)) void wake(id);
        },
      },
    });
    const byWakeUp = new Map(ids.map((id) => [wakeUpIdOf(id, 1), id]));
    let asked = 0;
    const wake = async (wakeUpId: string): Promise<void> => {
      const id = byWakeUp.get(wakeUpId);
      if (id === undefined) return;
      asked += 1;
      if (await worker.attempt(id, 1)) asleep.add(wakeUpId);
    };
    await Promise.all([...byWakeUp.keys()].map(wake));
    await worker.attempt(await world.delivery(other), 1);
    await until(() => world.sent.length === 61);
    await until(() => underWay === 0);
    expect(most).to.be.within(2, 10);
    expect(asked).to.be.at.most(120);
  });
});

import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { toId, uuidOf, type WebhookId } from '../../contracts/ids.ts';
import type { ScheduleDelivery } from '../../domain/webhook-delivery/webhook-delivery.ts';
import type { EventStore } from '../../infra/event-store/client/types.ts';
import { newContext, useStore } from '../session/testing.ts';
import { accountId, createDeliveriesWorld, failed, succeeded, type DeliveriesWorld } from './testing.ts';
import { wakeUpIdOf, type Deliveries } from './index.ts';

describe('a first attempt', () => {
  const opened = useStore();
  let world: DeliveriesWorld;
  let appends: number;
  let worker: Deliveries;
  let endpoint: WebhookId;
  beforeEach(async () => {
    const store: EventStore = {
      ...opened.store,
      append: (...call) => {
        appends += 1;
        return opened.store.append(...call);
      },
    };
    world = createDeliveriesWorld(store);
    worker = world.worker();
    endpoint = await world.endpoint();
    appends = 0;
  });

  const aDelivery = (webhookId = endpoint): ScheduleDelivery => ({
    type: 'ScheduleDelivery',
    ...{ deliveryId: toId('webhookDelivery', uuidv7()), webhookId, accountId },
    ...{ eventId: uuidv7(), eventType: 'session.completed', body: '{}' },
    ...{ trigger: 'event', replayOf: null, replayId: null, at: world.clock.now().toISOString() },
  });
  const make = (delivery: ScheduleDelivery, by = worker) => by.first.make(delivery, newContext(accountId));
  /** Makes the endpoint trusted by an immediate answer. */
  const known = async (): Promise<void> => {
    await make(aDelivery());
    await worker.first.settled();
    appends = 0;
  };
  const firstOf = async ({ deliveryId }: ScheduleDelivery): Promise<unknown> => {
    for await (const { data } of opened.store.readStream(`webhook_delivery-${uuidOf(deliveryId)}`))
      return data;
    return undefined;
  };

  it('to an endpoint that answers at once is recorded with its delivery, in one append', async () => {
    await known();
    const delivery = aDelivery();
    expect(await make(delivery)).to.equal(true);
    expect(appends).to.equal(1);
    expect(await firstOf(delivery))
      .to.include({ dueAt: delivery.at })
      .and.not.have.property('underWayUntil');
    expect(await world.events(delivery.deliveryId)).to.deep.equal(['DeliverySucceeded']);
  });

  it('that failed schedules a wake-up for the second one', async () => {
    await known();
    world.answer = async () => failed;
    const delivery = aDelivery();
    await make(delivery);
    expect(await world.events(delivery.deliveryId)).to.deep.equal(['DeliveryAttemptFailed']);
    const due = new Date(world.clock.now().getTime() + 63_000).toISOString();
    expect(world.scheduled).to.deep.equal([`${wakeUpIdOf(delivery.deliveryId, 2)} ${due}`]);
  });

  describe('whose answer takes longer', () => {
    let answerNow: () => void;
    beforeEach(() => {
      const answered = new Promise<typeof succeeded>((resolve) => (answerNow = () => resolve(succeeded)));
      world.answer = () => answered;
    });

    it('is recorded while it runs, and is not due for another worker before it must have ended', async () => {
      const delivery = aDelivery();
      expect(await make(delivery)).to.equal(true);
      const underWayUntil = new Date(world.clock.now().getTime() + 15_000);
      expect(await firstOf(delivery)).to.include({ underWayUntil: underWayUntil.toISOString() });
      expect(await world.worker().attempt(delivery.deliveryId, 1)).to.deep.equal({ again: underWayUntil });
      answerNow();
      await worker.first.settled();
      expect(await world.events(delivery.deliveryId)).to.deep.equal(['DeliverySucceeded']);
      expect(world.sent).to.have.length(1);
    });

    it('is repeated after that with the same bytes, and one outcome is recorded', async () => {
      const delivery = aDelivery();
      await make(delivery);
      world.clock.advance(15_000);
      world.answer = async () => failed;
      expect(await world.worker().attempt(delivery.deliveryId, 1)).to.equal(undefined);
      answerNow();
      await worker.first.settled();
      expect(world.sent.map(({ eventId, body }) => `${eventId} ${body}`)).to.deep.equal(
        Array.from({ length: 2 }, () => `${delivery.eventId} {}`),
      );
      expect(await world.events(delivery.deliveryId)).to.deep.equal(['DeliveryAttemptFailed']);
    });

    it('is recorded for its delivery even if a quick answer was expected', async () => {
      world.answer = async () => succeeded;
      await known();
      const answered = new Promise<typeof succeeded>((resolve) => (answerNow = () => resolve(succeeded)));
      world.answer = () => answered;
      const delivery = aDelivery();
      expect(await make(delivery)).to.equal(true);
      expect(await firstOf(delivery)).to.have.property('underWayUntil');
      answerNow();
      await worker.first.settled();
      expect(await world.events(delivery.deliveryId)).to.deep.equal(['DeliverySucceeded']);
    });
  });

  it('is left to the queue without a record if the endpoint is deleted or has no slot', async () => {
    const gone = await world.endpoint();
    await world.change(gone, { type: 'DeleteWebhook', at: world.clock.now().toISOString() });
    const delivery = aDelivery(gone);
    expect(await make(delivery)).to.equal(false);
    let answerAll = (): void => undefined;
    const answered = new Promise<typeof succeeded>((resolve) => (answerAll = () => resolve(succeeded)));
    world.answer = () => answered;
    // An endpoint that has not answered yet has two slots.
    expect(await Promise.all([make(aDelivery()), make(aDelivery())])).to.deep.equal([true, true]);
    const third = aDelivery();
    expect(await make(third)).to.equal(false);
    expect(await firstOf(delivery)).to.equal(undefined);
    expect(await firstOf(third)).to.equal(undefined);
    answerAll();
    await worker.first.settled();
  });

  it('changes nothing if another host has recorded the delivery and its end meanwhile', async () => {
    await known();
    const other = world.worker();
    await make(aDelivery(), other);
    await other.first.settled();
    const delivery = aDelivery();
    await make(delivery, other);
    expect(await make(delivery)).to.equal(true);
    expect(await world.events(delivery.deliveryId)).to.deep.equal(['DeliverySucceeded']);
  });
});

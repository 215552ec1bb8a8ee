import { expect } from 'chai';
import { gate } from '../../infra/verification/testbed/gate.ts';
import { until } from '../../infra/verification/testbed/until.ts';
import { useStore } from '../session/testing.ts';
import { createDeliveriesWorld, failed, succeeded } from './testing.ts';
import { createCancelling } from './index.ts';

describe('attempts', () => {
  const opened = useStore();

  it('in flight when their endpoint is deleted are recorded, and are the last', async () => {
    const world = createDeliveriesWorld(opened.store);
    const endpoint = await world.endpoint();
    const ids = await Promise.all([world.delivery(endpoint), world.delivery(endpoint)]);
    const [succeeding, failing] = ids;
    const isAnswered = gate();
    world.answer = async ({ body }) => {
      await isAnswered.pass();
      return body.includes(succeeding) ? succeeded : failed;
    };
    const worker = world.worker();
    const made = Promise.all(ids.map((id) => worker.attempt(id, 1)));
    await until(() => world.sent.length === 2);
    await world.change(endpoint, { type: 'DeleteWebhook', at: world.clock.now().toISOString() });
    const cancel = createCancelling({ ...world, now: () => performance.now() });
    await Promise.all(ids.map(cancel));
    isAnswered.open();
    await made;
    expect(await world.events(succeeding)).to.deep.equal(['DeliveryCancelled', 'DeliverySucceeded']);
    expect(await world.events(failing)).to.deep.equal(['DeliveryCancelled', 'DeliveryAttemptFailed']);
    expect(world.scheduled).to.deep.equal([]);
    world.clock.advance(600_000);
    for (const id of ids) await worker.attempt(id, 2);
    expect(world.sent).to.have.length(2);
  });
});

import { expect } from 'chai';
import { v4 as uuidv4 } from 'uuid';
import { toId, type WebhookId } from '../../contracts/ids.ts';
import { Slots, type Slot } from './slots.ts';

describe('the slots of a worker', () => {
  it('forget an endpoint whose waiting deliveries another worker has made', async () => {
    let now = 0;
    const called: string[] = [];
    const options = {
      ...{ now: () => now, after: () => () => undefined, random: () => 0 },
      call: (wakeUpId: string) => called.push(wakeUpId),
    };
    const slots = new Slots({ ...options, slots: 1 });
    const endpoint = toId('webhook', uuidv4());
    const begun = async (wakeUpId: string): Promise<Slot> => {
      const entry = await slots.enter(endpoint, wakeUpId);
      if ('waitMs' in entry) throw new Error('There is no slot.');
      return entry;
    };
    const first = await begun('first');
    expect(await slots.enter(endpoint, 'made-elsewhere')).to.have.property('waitMs');
    now = 999_999;
    first.end(true);
    expect(called).to.deep.equal(['made-elsewhere']);
    now = 1_000_000;
    (await begun('second')).end(true);
    expect(called).to.have.lengthOf(1);
  });

  it('forget idle endpoints also behind one that waits for a delivery which another worker made', async () => {
    let now = 0;
    const options = { now: () => now, after: () => () => undefined, random: () => 0, call: () => undefined };
    const slots = new Slots({ ...options, slots: 1 });
    const begun = async (webhookId: WebhookId, wakeUpId: string): Promise<Slot> => {
      const entry = await slots.enter(webhookId, wakeUpId);
      if ('waitMs' in entry) throw new Error('There is no slot.');
      return entry;
    };
    const newEndpoint = () => toId('webhook', uuidv4());
    const [waiting, idle] = [newEndpoint(), newEndpoint()];
    const first = await begun(waiting, 'first-1');
    expect(await slots.enter(waiting, 'second-1')).to.have.property('waitMs');
    first.end(true);
    const quick = await begun(idle, 'quick-1');
    now += 5;
    quick.end(true);
    for (let others = 0; others < 10_001; others += 1)
      (await begun(newEndpoint(), `other-${others}`)).end(true);
    expect((await begun(idle, 'quick-2')).usualMs).to.equal(1000);
  });
});

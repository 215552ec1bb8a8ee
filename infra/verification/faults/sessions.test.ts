import { expect } from 'chai';
import { until } from '../testbed/index.ts';
import { newClient, pause, type Client } from './client.ts';
import { world, type World } from './world.ts';

const inTime = { limitMs: 30_000, everyMs: 50 };

describe('Sessions with many racing clients', () => {
  let here: World;
  let client: Client;
  before(async () => {
    here = await world();
    client = await newClient(here.stack, 'enterprise');
  });
  afterEach(async () => {
    await here.stack.heal();
    await here.stack.ready();
  });

  it('have 20 winners of 200 racers on 20 of them, 180 conflicts and no second dispatch', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => client.create()));
    // The winner keeps its session busy until all requests have arrived.
    here.stack.link('node').blackhole('answers');
    const statuses: (number | 'broken')[] = [];
    const racers = Array.from({ length: 200 }, async (_, racer) => {
      const id = ids[racer % ids.length];
      if (id !== undefined) statuses.push(await client.wait(id));
    });
    await until(() => statuses.length === 180, inTime);
    expect(new Set(statuses)).to.deep.equal(new Set([409]));
    await here.stack.heal();
    await Promise.all(racers);
    expect(statuses.filter((status) => status === 200)).to.have.length(20);
    for (const id of ids) expect(here.reached(id, 'operate')).to.equal(1);
    await Promise.all(ids.map((id) => client.call(`DELETE /v1/sessions/${id}`)));
  });

  it('answer 200 or 410 to an operation that races a DELETE, which succeeds, and free their slots', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => client.create()));
    const outcomes = await Promise.all(
      ids.map((id) =>
        Promise.all([client.wait(id), client.call(`DELETE /v1/sessions/${id}`), client.wait(id)]),
      ),
    );
    for (const [first, { status }, last] of outcomes) {
      expect(status).to.equal(204);
      for (const each of [first, last]) expect(each).to.be.oneOf([200, 409, 410]);
    }
    for (const id of ids) {
      const types = await here.eventsOf(id);
      expect(types.filter((type) => type === 'SessionDestroyed')).to.have.length(1);
      expect(here.reached(id, 'operate')).to.be.at.most(
        types.filter((type) => type === 'OperationClaimed').length,
      );
    }
    const slots = await here.slotEventsOf(client);
    const count = (type: string) => slots.filter((each) => each === type).length;
    expect(count('SlotReleased')).to.equal(count('SlotReserved'));
  });

  it('are errored when their node is killed, mid-operation or idle, their operation never run again', async () => {
    const [busy, idle] = [await client.create(), await client.create()];
    const cutOff = client.wait(busy, pause);
    await until(() => here.reached(busy, 'operate') === 1, inTime);
    await here.stack.kill('node');
    expect(await cutOff).to.equal(504);
    expect(await client.wait(busy)).to.equal(410);
    await until(async () => (await client.statusOf(idle)) === 'errored', inTime);
    expect(here.reached(busy, 'operate')).to.equal(1);
    await until(async () => (await client.call('POST /v1/sessions', {})).status === 201, inTime);
  });
});

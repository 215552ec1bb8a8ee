import { expect } from 'chai';
import type { SessionId } from '../../../contracts/ids.ts';
import type { Answer } from '../../http/testing.ts';
import { until } from '../testbed/index.ts';
import { newClient, pause, type Client } from './client.ts';
import { world, type World } from './world.ts';

const inTime = { limitMs: 20_000 };
const begun = ['SessionRequested', 'SessionReady', 'EgressCapabilitiesReported'];

/** One kill -9 with a request at each of the steps between which a process can die. */
describe('write-api, killed', () => {
  let here: World;
  let shared: Client;
  let one: Client;
  let other: Client;
  let claimed: SessionId;
  let dispatched: SessionId;
  let settled: SessionId;
  let cutOff: Promise<unknown>[];

  const createOnce = (client: Client, key: string): Promise<Answer> =>
    client.call('POST /v1/sessions', { label: key }, { 'idempotency-key': key });
  const answered = (answer: Promise<Answer>) =>
    answer.then(
      ({ status }) => status,
      () => 'broken',
    );

  before(async () => {
    here = await world();
    const { stack } = here;
    [shared, one, other] = await Promise.all([
      newClient(stack),
      newClient(stack, 'personal'),
      newClient(stack, 'personal'),
    ]);
    [claimed, dispatched, settled] = await Promise.all([one.create(), shared.create(), shared.create()]);
    const [node, postgres] = [stack.link('node'), stack.link('postgres')];

    cutOff = [shared.wait(dispatched, pause)];
    await until(() => here.reached(dispatched, 'operate') === 1, inTime);

    node.blackhole('answers');
    const [kept, launched] = [await here.keptAnswers(), here.launched()];
    cutOff.push(shared.wait(settled), answered(createOnce(shared, 'kept')));
    await until(() => here.reached(settled, 'operate') === 1, inTime);
    await until(() => here.launched() > launched, inTime);
    // A request with a key needs the data key that its answer is sealed with, which is cached for some seconds.
    await other.call('POST /v1/sessions', { archetype: 'pager-1' }, { 'idempotency-key': 'refused' });
    // A reply waits until Postgres has recorded its position; a placement reads the nodes from Postgres.
    for (const link of [postgres, stack.link('write-api')]) link.blackhole('answers');
    await node.heal();
    await here.recorded(settled, 'OperationSettled');
    await until(async () => (await here.keptAnswers()) > kept, inTime);
    cutOff.push(answered(createOnce(other, 'placed')));
    await until(async () => (await here.slotEventsOf(other)).length === 1, inTime);

    node.blackhole('requests');
    cutOff.push(one.wait(claimed));
    await here.recorded(claimed, 'OperationClaimed');

    await stack.kill('write-api');
    // Data that was held back is lost with the receiving process.
    for (const link of [node, postgres, stack.link('write-api')]) link.cut();
    await stack.heal();
    await stack.ready();
  });

  it('answers no request, and reports no success', async () => {
    for (const answer of await Promise.all(cutOff)) expect(answer).to.be.oneOf(['broken', 502, 503]);
  });

  it('after a claim and before its dispatch leaves the session busy and the browser untouched', async () => {
    expect(await one.statusOf(claimed)).to.equal('busy');
    expect(await one.wait(claimed)).to.equal(409);
    expect((await one.call('POST /v1/sessions', {})).json.type).to.match(/concurrency-limit$/);
    expect((await one.call(`DELETE /v1/sessions/${claimed}`)).status).to.equal(204);
    expect(await here.eventsOf(claimed)).to.deep.equal([...begun, 'OperationClaimed', 'SessionDestroyed']);
    expect(here.reached(claimed, 'operate')).to.equal(0);
    await one.create();
  });

  it('during a dispatch leaves the session busy, its operation dispatched once', async () => {
    expect(await shared.statusOf(dispatched)).to.equal('busy');
    expect(await shared.wait(dispatched)).to.equal(409);
    expect((await shared.call(`DELETE /v1/sessions/${dispatched}`)).status).to.equal(204);
    await until(() => here.reached(dispatched, 'close') === 1);
    expect(await here.eventsOf(dispatched)).to.deep.equal([...begun, 'OperationClaimed', 'SessionDestroyed']);
    expect(here.reached(dispatched, 'operate')).to.equal(1);
  });

  it('after a settle and before the reply leaves the session ready, its operation done once', async () => {
    expect(await shared.statusOf(settled)).to.equal('ready');
    expect(await here.eventsOf(settled)).to.deep.equal([...begun, 'OperationClaimed', 'OperationSettled']);
    expect(here.reached(settled, 'operate')).to.equal(1);
    expect(await shared.wait(settled)).to.equal(200);
  });

  it('after keeping a keyed answer and before the reply replays status and body, with no second browser', async () => {
    const [first, second] = [await createOnce(shared, 'kept'), await createOnce(shared, 'kept')];
    expect([first.status, first.headers['idempotency-replayed']]).to.deep.equal([201, 'true']);
    expect([second.status, second.text]).to.deep.equal([201, first.text]);
    const made = (await shared.listed()).filter(({ label }) => label === 'kept');
    expect(made.map(({ id }) => id)).to.deep.equal([first.json.id]);
    for (const { id } of made) expect(here.reached(id, 'launch')).to.equal(1);
  });

  it('after reserving a slot releases it when its lease ends, and the keyed retry makes the one session', async () => {
    const answers: Answer[] = [];
    await until(
      async () => answers.push(await createOnce(other, 'placed')) && answers.at(-1)?.status === 201,
      {
        limitMs: 55_000,
        everyMs: 100,
      },
    );
    for (const { status, headers } of answers.slice(0, -1)) {
      expect([status, headers['retry-after']]).to.deep.equal([409, '1']);
    }
    expect((await other.listed()).map(({ id }) => id)).to.deep.equal([answers.at(-1)?.json.id]);
    expect(await here.slotEventsOf(other)).to.deep.equal(['SlotReserved', 'SlotReleased', 'SlotReserved']);
  });
});

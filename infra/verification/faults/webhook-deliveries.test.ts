import { expect } from 'chai';
import { Redis } from 'ioredis';
import {
  answerNothing,
  answerWith,
  startReceivers,
  until,
  type Answer,
  type TestReceivers,
} from '../testbed/index.ts';
import { newClient, type Client } from './client.ts';
import { endpointsOf, streamOf, type Endpoints } from './endpoints.ts';
import { world, type World } from './world.ts';

const inTime = { limitMs: 60_000, everyMs: 50 };

/** From the contract: failures in a row that disable an endpoint; a delivery is given up after six attempts. */
const DISABLE_AFTER = 50;
const ATTEMPTS = 6;

describe('Deliveries', () => {
  let here: World;
  let client: Client;
  let receivers: TestReceivers;
  let endpoints: Endpoints;
  let answer: Answer = answerWith(200);
  before(async () => {
    here = await world();
    client = await newClient(here.stack);
    receivers = await startReceivers({ told: (...message) => answer(...message) });
    endpoints = endpointsOf(client, receivers, 'told');
  });
  afterEach(async () => {
    answer = answerWith(200);
    await here.stack.heal();
    await here.stack.ready();
  });
  after(() => receivers.close());

  const eventsOf = (id: string): Promise<string[]> => here.typesIn(streamOf(id));
  const ended = (delivery: string, type: string): Promise<unknown> =>
    until(async () => (await eventsOf(delivery)).includes(type), inTime);

  it('are sent again with the same id, and are recorded once, when the worker dies between the answer and its record', async () => {
    const { id } = await endpoints.register('answered');
    const store = here.stack.link('event-store');
    answer = (response, count) => {
      if (count === 0) store.blackhole('requests');
      return answerWith(200)(response, count);
    };
    const delivery = await endpoints.ping(id);
    await endpoints.arrived('answered', 1);
    await here.stack.kill('worker');
    store.cut();
    await here.stack.heal();
    await ended(delivery, 'DeliverySucceeded');
    expect(await eventsOf(delivery)).to.deep.equal(['DeliveryScheduled', 'DeliverySucceeded']);
    const [first, second, ...more] = endpoints.cameTo('answered');
    expect(more).to.deep.equal([]);
    expect([second?.id, second?.body]).to.deep.equal([first?.id, first?.body]);
  });

  it('reach the dead letters even if the worker is killed in three of their attempts', async () => {
    const { id } = await endpoints.register('deadly');
    answer = (response, count) => (count < 3 ? answerNothing : answerWith(503))(response, count);
    const delivery = await endpoints.ping(id);
    for (let kills = 1; kills <= 3; kills += 1) {
      await endpoints.arrived('deadly', kills);
      await here.stack.kill('worker');
    }
    await ended(delivery, 'DeliveryDeadLettered');
    const failures = Array.from({ length: ATTEMPTS }, () => 'DeliveryAttemptFailed');
    expect(await eventsOf(delivery)).to.deep.equal([
      'DeliveryScheduled',
      ...failures,
      'DeliveryDeadLettered',
    ]);
    expect(new Set(endpoints.cameTo('deadly').map(({ id }) => id))).to.have.property('size', 1);
    expect(endpoints.cameTo('deadly')).to.have.length(3 + ATTEMPTS);
  });

  it('all arrive even if the queue is wiped with hundreds of them pending', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `wiped-${index}`);
    const webhooks = await Promise.all(names.map((name) => endpoints.register(name)));
    const since = new Date().toISOString();
    const sessions = await Promise.all(Array.from({ length: 20 }, () => client.create()));
    await Promise.all(sessions.map((id) => client.call(`DELETE /v1/sessions/${id}`)));
    const areAll = async (webhook: string, status: string): Promise<boolean> => {
      const { json } = await client.call(`GET /v1/webhooks/${webhook}/deliveries?status=${status}&limit=100`);
      return Array.isArray(json.data) && json.data.length === sessions.length;
    };
    for (const { id } of webhooks) await until(() => areAll(id, 'delivered'), inTime);
    here.stack.pause('worker');
    const replays = await Promise.all(
      webhooks.map(({ id }) => client.call(`POST /v1/webhooks/${id}/replay`, { since })),
    );
    for (const { status, text } of replays) expect(status, text).to.equal(202);
    for (const { id } of webhooks) await until(() => areAll(id, 'pending'), inTime);
    const queue = new Redis(here.stack.stores.redis?.url ?? '');
    await queue.flushall();
    queue.disconnect();
    here.stack.resume('worker');
    for (const name of names) await endpoints.arrived(name, 2 * sessions.length);
    for (const name of names) expect(endpoints.cameTo(name), name).to.have.length(2 * sessions.length);
  });

  it('disable an endpoint by the fiftieth failure in a row, and by no forty-nine on either side of a success', async () => {
    const { id } = await endpoints.register('counting');
    let failuresLeft = 0;
    answer = (...message) => answerWith(failuresLeft-- > 0 ? 503 : 200)(...message);
    const failures = Array.from({ length: DISABLE_AFTER - 1 }, () => 'WebhookFailureCounted');
    const aSide = [...failures, 'WebhookFailuresCleared'];
    const areCounted = (count: number): Promise<unknown> =>
      until(async () => (await counted(id)).length === count, inTime);
    for (let side = 1; side <= 2; side += 1) {
      failuresLeft = 8 * ATTEMPTS;
      await pingAll(id, 8);
      await areCounted(side * aSide.length - 2);
      failuresLeft = 1;
      await ended(await endpoints.ping(id), 'DeliverySucceeded');
    }
    await areCounted(2 * aSide.length);
    expect(await counted(id)).to.deep.equal([...aSide, ...aSide]);

    failuresLeft = Infinity;
    const pings = await pingAll(id, 9);
    await until(async () => (await counted(id)).includes('WebhookDisabled'), inTime);
    for (const each of pings) await until(async () => hasEnded(await eventsOf(each)), inTime);
    const last = [...failures, 'WebhookFailureCounted', 'WebhookDisabled'];
    expect(await counted(id)).to.deep.equal([...aSide, ...aSide, ...last]);
  });

  /** No attempt is made before all of them are requested. */
  const pingAll = async (webhook: string, count: number): Promise<string[]> => {
    here.stack.pause('worker');
    const pings = await Promise.all(Array.from({ length: count }, () => endpoints.ping(webhook)));
    here.stack.resume('worker');
    return pings;
  };
  const counted = async (webhook: string): Promise<string[]> =>
    (await eventsOf(webhook)).filter((type) => /Failure|Disabled/.test(type));
});

const hasEnded = (events: readonly string[]): boolean =>
  events.some((type) => /DeadLettered|Cancelled/.test(type));

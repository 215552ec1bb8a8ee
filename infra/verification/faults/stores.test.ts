import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { SessionId } from '../../../contracts/ids.ts';
import { until } from '../testbed/index.ts';
import { glance, newClient, type Client } from './client.ts';
import { expectOutageAtMost, underLoad } from './load.ts';
import { world, type World } from './world.ts';

const inTime = { limitMs: 30_000, everyMs: 50 };

describe('The stores of a stack', () => {
  let here: World;
  let client: Client;
  let ids: SessionId[];
  before(async () => {
    here = await world();
    client = await newClient(here.stack);
    ids = await Promise.all(Array.from({ length: 6 }, () => client.create()));
  });
  afterEach(async () => {
    await here.stack.heal();
    await here.stack.ready();
  });

  const wait = (id: SessionId) => client.call(`POST /v1/sessions/${id}/wait`, glance);
  /** Every operation that reached a browser has its one claim, and every acknowledged one its settle. */
  const expectExact = async (id: SessionId, acknowledged: number): Promise<void> => {
    const types = await here.eventsOf(id);
    const count = (type: string): number => types.filter((each) => each === type).length;
    expect(count('OperationSettled')).to.be.at.least(acknowledged);
    expect(here.reached(id, 'operate')).to.be.within(acknowledged, count('OperationClaimed'));
  };

  for (const [what, disturb] of [
    ['the event store is killed', () => here.stack.kill('event-store')],
    ['Postgres is killed', () => here.stack.kill('postgres')],
    ['the connections to Postgres are reset', async () => here.stack.link('postgres').cut()],
  ] as const) {
    it(`answer under load with success, or with 503 and Retry-After, when ${what}, and recover`, async () => {
      const load = underLoad(await newClient(here.stack, 'enterprise'), 6);
      const successes = () => load.answers.filter(({ status }) => status < 300).length;
      await until(() => successes() > 30, inTime);
      await disturb();
      const before = successes();
      await until(() => successes() > before + 60, inTime);
      await load.end();
      expectOutageAtMost(load.answers);
      for (const [id, acknowledged] of load.acknowledged) await expectExact(id, acknowledged);
    });
  }

  it('leave every read model equal to the log after all of that', async () => {
    const { status, stdout } = await here.stack.service('projections', 'verify');
    expect(status, stdout).to.equal(0);
  });

  for (const lost of ['dropAfterCommit', 'dropBeforeCommit'] as const) {
    it(`store an append once whose answer was lost (${lost}), and the right reply is sent`, async () => {
      const id = await client.create();
      await here.stack.stores.eventStore.set({ [lost]: 1 });
      expect((await wait(id)).status).to.equal(200);
      expect((await here.eventsOf(id)).slice(-2)).to.deep.equal(['OperationClaimed', 'OperationSettled']);
      expect(here.reached(id, 'operate')).to.equal(1);
    });
  }

  for (const [name, silence] of [
    ['half-open', () => here.stack.link('event-store').blackhole()],
    [
      'mute before its first frame',
      () => {
        here.stack.link('event-store').blackhole();
        here.stack.link('event-store').cut();
      },
    ],
  ] as const) {
    it(`refuse writes with 503 and Retry-After in bounded time, and go on serving reads, while the event store is ${name}`, async () => {
      const id = await client.create();
      silence();
      const startedAt = performance.now();
      const [write, reads] = await Promise.all([
        wait(id),
        Promise.all(ids.map((each) => client.statusOf(each))),
      ]);
      expect([write.status, Number(write.headers['retry-after']) > 0], write.text).to.deep.equal([503, true]);
      expect(performance.now() - startedAt).to.be.below(20_000);
      expect(reads).to.deep.equal(ids.map(() => 'ready'));
      here.stack.link('event-store').cut();
      await here.stack.heal();
      await until(async () => (await client.call('POST /v1/sessions', {})).status === 201, inTime);
      expect(await client.listed()).not.to.be.empty;
    });
  }

  it('end a free session at its time though its wake-up was lost with the whole queue', async () => {
    const free = await newClient(here.stack, 'free');
    const id = await free.create();
    const queue = new Redis(here.stack.stores.redis?.url ?? '');
    await until(async () => (await queue.dbsize()) > 0, inTime);
    await queue.flushall();
    queue.disconnect();
    await until(async () => (await free.statusOf(id)) === 'destroyed', inTime);
    expect((await here.eventsOf(id)).filter((type) => type === 'SessionDestroyed')).to.have.length(1);
  });

  it('serve the old read model when its rebuild is killed, and are rebuilt by the next one', async () => {
    const { postgres } = here.stack.stores;
    here.stack.link('event-store').blackhole('answers');
    const rebuild = spawn(process.execPath, [run, 'command', 'projections', 'rebuild', 'sessions'], {
      env: { ...process.env, DATA_DIR: here.stack.dataDir },
      stdio: 'ignore',
    });
    const ended = once(rebuild, 'exit');
    await until(async () => hasShadow(postgres.url), inTime);
    rebuild.kill('SIGKILL');
    await ended;
    for (const link of ['event-store', 'postgres'] as const) here.stack.link(link).cut();
    await here.stack.heal();
    expect(await client.statusOf(ids[0] ?? 'ses_')).to.equal('ready');
    const { status, stdout, stderr } = await here.stack.service(
      'projections',
      'rebuild',
      'sessions',
      '--json',
    );
    expect(status, stderr).to.equal(0);
    expect(JSON.parse(stdout)).to.include({ matches: true });
  });
});

const run = fileURLToPath(new URL('../../main/run.mjs', import.meta.url));

async function hasShadow(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query("select 1 from pg_tables where schemaname = 'shadow'");
  await client.end();
  return rowCount !== 0;
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import pg from 'pg';
import { pino } from 'pino';
import { systemClock } from '../platform/clock.ts';
import { freshDatabase, gate, startRedis, startTcpProxy, until } from '../verification/testbed/index.ts';
import { createWakeUps, type WakeUps } from './index.ts';

interface Woken {
  readonly id: string;
  readonly at: number;
}

const logger = pino({ level: 'silent' });
const inMs = (ms: number): Date => new Date(Date.now() + ms);

/** The same tests for each backend. `lose` empties the queue from outside. */
const places = [
  {
    name: 'Redis',
    open: async () => {
      const redis = await startRedis();
      const lose = async () => {
        const client = new Redis(redis.url);
        await client.flushall();
        client.disconnect();
      };
      return { url: redis.url, lose, gone: () => redis.stop() };
    },
  },
  {
    name: 'Postgres',
    open: async () => {
      const database = await freshDatabase();
      const lose = async () => {
        const client = new pg.Client({ connectionString: database.url });
        await client.connect();
        // A busy worker can deadlock with the drop; Postgres then refuses one of the two.
        await until(async () => Boolean(await client.query('drop schema bullmq cascade')));
        await client.end();
      };
      return { url: database.url, lose, gone: () => database.drop() };
    },
  },
];

for (const place of places) {
  describe(`wake-ups on ${place.name}`, () => {
    let home: Awaited<ReturnType<typeof place.open>>;
    let wakeUps: WakeUps;
    let woken: Woken[];
    before(async () => {
      home = await place.open();
    });
    after(() => home.gone());
    beforeEach(() => {
      woken = [];
      wakeUps = createWakeUps({ url: home.url, clock: systemClock, logger, closeTimeoutMs: 500 });
    });
    afterEach(() => wakeUps.close());

    const listen = () =>
      wakeUps.onWakeUp(async (id) => {
        woken.push({ id, at: Date.now() });
        if (id === 'broken') throw new Error('broken handler');
      });
    const ids = () => woken.map(({ id }) => id);

    it('run at their due time, not before, each once', async () => {
      listen();
      const due = [inMs(300), inMs(150), inMs(-1000)];
      await Promise.all(due.map((at, index) => wakeUps.schedule(`lease.${index}`, at)));
      await wakeUps.schedule('lease.0', inMs(150));
      await until(() => woken.length === 3);
      expect(ids()).to.have.members(['lease.2', 'lease.1', 'lease.0']);
      for (const { id, at } of woken) {
        const dueAt = due[Number(id.slice('lease.'.length))];
        expect(at).to.be.at.least(dueAt?.getTime() ?? Infinity);
      }
    });

    it('wait for a handler that starts later', async () => {
      await wakeUps.schedule('early', inMs(0));
      listen();
      await until(() => ids().includes('early'));
    });

    it('can be scheduled again after they ran, and after their handler failed', async () => {
      listen();
      await wakeUps.schedule('broken', inMs(0));
      await until(() => woken.length === 1);
      await until(async () => {
        await wakeUps.schedule('broken', inMs(0));
        return woken.length > 1;
      });
      expect(new Set(ids())).to.deep.equal(new Set(['broken']));
    });

    it('run again at the time that their handler returns, and keep their id until then', async () => {
      let due: Date | undefined;
      wakeUps.onWakeUp(async (id) => {
        // A previous test may have left one.
        if (id !== 'again') return undefined;
        woken.push({ id, at: Date.now() });
        // The id is in use while the handler runs.
        await wakeUps.schedule(id, inMs(0));
        if (due) return undefined;
        due = inMs(1500);
        return { again: due };
      });
      await wakeUps.schedule('again', inMs(0));
      await until(() => woken.length > 0);
      await wakeUps.schedule('again', inMs(0));
      await until(() => woken.length > 1);
      expect(woken[1]?.at).to.be.at.least(due?.getTime() ?? Infinity);
      await until(async () => Object.values(await wakeUps.counts()).every((count) => count === 0));
      expect(ids()).to.deep.equal(['again', 'again']);
    });

    it('that their handler delayed can be hastened, even before the queue has recorded the delay', async () => {
      const hour = inMs(3_600_000);
      wakeUps.onWakeUp(async (id) => {
        woken.push({ id, at: Date.now() });
        if (woken.length > 2) return undefined;
        if (woken.length === 2) await wakeUps.hasten(id);
        return { again: hour };
      });
      await wakeUps.schedule('patient', inMs(0));
      await until(async () => (await wakeUps.counts()).delayed === 1);
      await wakeUps.hasten('patient');
      await until(() => woken.length === 3);
      await wakeUps.hasten('unknown');
    });

    it('can be scheduled in one request, and run only in their own queue', async () => {
      const limits = { clock: systemClock, logger, closeTimeoutMs: 500 };
      const others = createWakeUps({ url: home.url, queueName: 'others', ...limits });
      const wokenElsewhere: string[] = [];
      others.onWakeUp(async (id) => void wokenElsewhere.push(id));
      listen();
      const many = Array.from({ length: 50 }, (_, index) => ({ id: `many.${index}`, dueAt: inMs(0) }));
      await wakeUps.scheduleAll(many);
      await wakeUps.scheduleAll([]);
      await others.schedule('other', inMs(0));
      await until(() => woken.length === 50 && wokenElsewhere.length === 1);
      expect(ids()).to.have.members(many.map(({ id }) => id));
      expect(wokenElsewhere).to.deep.equal(['other']);
      await others.close();
    });

    it('of low priority run after all others that are due, in whatever order they were scheduled', async () => {
      const limits = { clock: systemClock, logger, closeTimeoutMs: 500, concurrency: 1 };
      const mails = createWakeUps({ url: home.url, queueName: 'mail', ...limits });
      const first = gate();
      mails.onWakeUp(async (id) => {
        woken.push({ id, at: Date.now() });
        if (woken.length === 1) await first.pass();
      });
      const bulk = Array.from({ length: 100 }, (_, index) => `bulk.${index}`);
      await mails.scheduleAll(bulk.map((id) => ({ id, dueAt: inMs(-1), priority: 'low' as const })));
      await first.reached;
      const soon = inMs(50);
      await mails.schedule('delayed bulk', soon, 'low');
      await mails.schedule('delayed link', soon);
      await mails.schedule('link', inMs(-1));
      await until(() => Date.now() > soon.getTime());
      first.open();
      await until(() => woken.length === 103);
      expect(ids().slice(1, 3)).to.have.members(['link', 'delayed link']);
      expect(ids()).to.have.members([...bulk, 'link', 'delayed link', 'delayed bulk']);
      await mails.close();
    });

    it('are redelivered soon after the lock of a dead worker has ended', async () => {
      const locks = { lockMs: 500, clock: systemClock, logger };
      const named = { url: home.url, queueName: 'deserted', ...locks };
      const gone = createWakeUps({ ...named, closeTimeoutMs: 1 });
      const work = gate();
      gone.onWakeUp(work.pass);
      await gone.schedule('orphan', inMs(0));
      await work.reached;
      await gone.close();
      const heir = createWakeUps({ ...named, closeTimeoutMs: 500 });
      heir.onWakeUp(async (id) => void woken.push({ id, at: Date.now() }));
      await heir.schedule('orphan', inMs(0));
      await until(() => ids().includes('orphan'), { limitMs: 8000 });
      work.open();
      await heir.close();
    });

    it('are lost with the queue, and run once they are scheduled again, without a restart', async () => {
      listen();
      await wakeUps.schedule('lost', inMs(3_600_000));
      await home.lose();
      await wakeUps.schedule('lost', inMs(0));
      await until(() => ids().includes('lost'), { limitMs: 15_000 });
    });
  });
}

describe('a queue', () => {
  it('that becomes unavailable while it is being opened is reopened, at a limited rate', async () => {
    const database = await freshDatabase();
    const { hostname: host, port } = new URL(database.url);
    const proxy = await startTcpProxy({ host, port: Number(port) });
    const lines: string[] = [];
    const recordingLogger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    proxy.blackhole();
    const wakeUps = createWakeUps({
      url: proxy.through(database.url),
      clock: systemClock,
      logger: recordingLogger,
      closeTimeoutMs: 500,
    });
    const woken: string[] = [];
    wakeUps.onWakeUp(async (id) => void woken.push(id));
    await until(() => proxy.connections > 1);
    proxy.cut();
    await proxy.heal();
    await until(() => wakeUps.schedule('late', inMs(0)).then(() => woken.includes('late')), {
      limitMs: 15_000,
      everyMs: 100,
    });
    expect(lines.length).to.be.below(100);
    await wakeUps.close();
    await proxy.close();
    await database.drop();
  });

  it('that is unreachable refuses a wake-up within its timeout', async () => {
    const redis = await startRedis();
    const limits = { scheduleTimeoutMs: 200, closeTimeoutMs: 200 };
    const wakeUps = createWakeUps({ url: redis.url, clock: systemClock, logger, ...limits });
    await wakeUps.schedule('first', inMs(60_000));
    await redis.stop();
    const failure: unknown = await wakeUps.schedule('second', inMs(0)).catch((error: unknown) => error);
    expect(failure).to.be.an('error');
    await wakeUps.close();
  });

  it('needs a URL of a known scheme', () => {
    const open = () => createWakeUps({ url: 'mysql://nowhere', clock: systemClock, logger });
    expect(open).to.throw(/mysql/);
  });
});

describe('a worker whose Postgres drops connections while its queue is opened', () => {
  const program = fileURLToPath(new URL('testing/adding-process.ts', import.meta.url));
  /** Pauses that make connections break at many stages of opening, in milliseconds. */
  const pausesMs = [20, 55, 170, 90, 35, 140, 110];
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let operator: pg.Client;
  beforeEach(async () => {
    database = await freshDatabase();
    operator = new pg.Client({ connectionString: database.url });
    await operator.connect();
  });
  afterEach(async () => {
    await operator.end();
    await database.drop();
  });

  it('survives five seconds of that, with its schema dropped now and then, and then runs wake-ups', async () => {
    const worker = fork(program, [database.url], { execArgv: ['--import', 'tsx'] });
    const ended = once(worker, 'exit');
    const reported = once(worker, 'message');
    const connections = `from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
    await until(async () => (await operator.query(`select ${connections}`)).rowCount, { limitMs: 15_000 });
    for (let round = 0; round < 50; round += 1) {
      await delay(pausesMs[round % pausesMs.length]);
      await operator.query(`select pg_terminate_backend(pid) ${connections}`);
      if (round % 3 === 0)
        await operator.query('drop schema if exists bullmq cascade').catch(() => undefined);
    }
    worker.send('enough');
    const [{ uncaught }] = (await Promise.race([reported, ended])) as [{ uncaught: string[] }];
    expect(uncaught).to.deep.equal([]);
    expect(await ended).to.deep.equal([0, null]);
  });
});

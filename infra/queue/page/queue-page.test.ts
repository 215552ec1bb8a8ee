import { request } from 'undici';
import { expect } from 'chai';
import { pino } from 'pino';
import { systemClock } from '../../platform/clock.ts';
import { listen, type Listening } from '../../http/index.ts';
import { createWakeUps, type WakeUps } from '../index.ts';
import { createRateLimits } from '../../rate-limits/index.ts';
import { freshDatabase, startRedis } from '../../verification/testbed/index.ts';
import { createQueuePage, type QueuePage } from './index.ts';

const logger = pino({ level: 'silent' });
const password = 'a token of the operator, 32 or more';
const basic = (user: string, secret: string) =>
  `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
const right = basic('operator', password);

const places = [
  {
    name: 'Redis',
    open: async () => {
      const redis = await startRedis();
      return { url: redis.url, gone: () => redis.stop() };
    },
  },
  {
    name: 'Postgres',
    open: async () => {
      const database = await freshDatabase();
      return { url: database.url, gone: () => database.drop() };
    },
  },
];

interface Shown {
  readonly queues: readonly {
    readonly name: string;
    readonly readOnlyMode: boolean;
    readonly counts: Readonly<Record<string, number>>;
    readonly jobs: readonly { readonly id: string }[];
  }[];
}

for (const place of places) {
  describe(`the queue page on ${place.name}`, () => {
    let home: Awaited<ReturnType<typeof place.open>>;
    let wakeUps: WakeUps;
    let page: QueuePage;
    let server: Listening;
    before(async () => {
      home = await place.open();
      wakeUps = createWakeUps({ url: home.url, clock: systemClock, logger });
      await wakeUps.schedule('later', new Date(Date.now() + 3_600_000));
      const { attempts } = createRateLimits({ logger, failures: { burst: 2, windowMs: 60_000 } });
      page = createQueuePage({
        queueUrl: home.url,
        queues: ['wake-ups', 'mail'],
        password,
        attempts,
        logger,
      });
      server = await listen(page.listener, 0);
    });
    after(async () => {
      await server.close();
      await page.close();
      await wakeUps.close();
      await home.gone();
    });

    const get = async (path: string, authorization = right, method: 'GET' | 'PUT' = 'GET') => {
      const { statusCode, headers, body } = await request(`http://127.0.0.1:${server.port}${path}`, {
        method,
        headers: { authorization },
      });
      return { status: statusCode, headers, text: await body.text() };
    };

    it('shows each queue with its jobs, and the state of the server', async () => {
      const { queues } = JSON.parse((await get('/queues/api/queues?activeQueue=wake-ups')).text) as Shown;
      expect(queues.map(({ name, readOnlyMode }) => [name, readOnlyMode])).to.deep.equal([
        ['wake-ups', true],
        ['mail', true],
      ]);
      expect(queues[0]?.counts.delayed).to.equal(1);
      expect(queues[0]?.jobs.map(({ id }) => id)).to.deep.equal(['later']);
      expect((await get('/queues/queue/wake-ups/later')).status).to.equal(200);
      expect(JSON.parse((await get('/queues/api/redis/stats')).text)).to.include.keys('version', 'clients');
    });

    it('has only its own scripts, and headers that allow no others', async () => {
      const { status, headers, text } = await get('/queues');
      expect(status).to.equal(200);
      const policy = String(headers['content-security-policy']);
      expect(headers).not.to.have.property('x-powered-by');
      expect(policy).to.contain("default-src 'none'").and.to.contain("script-src 'self';");
      const scripts = [...text.matchAll(/<script(?: defer)? src="([^"]+)"/g)].map(([, path = '']) => path);
      expect(scripts).not.to.be.empty;
      for (const path of scripts) expect((await get(`/queues/${path}`)).status, path).to.equal(200);
      expect(text).not.to.match(/<script(?![^>]*(?: src="static|type="application\/json"))/);
    });

    it('changes nothing', async () => {
      expect((await get('/queues/api/queues/wake-ups/delayed/promote', right, 'PUT')).status).to.equal(405);
      expect(await wakeUps.counts()).to.include({ delayed: 1 });
    });

    it('is for the operator: 401 for others, 429 after too many attempts', async () => {
      for (const authorization of ['', 'Bearer x', 'Basic ?']) {
        const { status, headers } = await get('/queues', authorization);
        expect([status, headers['www-authenticate']]).to.deep.equal([
          401,
          'Basic realm="queues", charset="UTF-8"',
        ]);
      }
      const wrong = [basic('operator', 'x'), basic('root', password), basic('operator', `${password} `)];
      const statuses: number[] = [];
      for (const each of wrong) statuses.push((await get('/queues/api/queues', each)).status);
      expect(statuses).to.deep.equal([401, 401, 429]);
      expect((await get('/queues')).status).to.equal(200);
    });

    it('is the only thing there', async () => {
      for (const path of ['/', '/queuesx', '/v1/sessions']) expect((await get(path)).status).to.equal(404);
    });
  });
}

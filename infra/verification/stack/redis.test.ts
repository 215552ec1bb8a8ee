import { expect } from 'chai';
import type { Session } from '../../../contracts/resources/session.ts';
import { caller } from '../../http/testing.ts';
import { startRedis, startStack, until, type TestRedis, type TestStack } from '../testbed/index.ts';

describe('the whole stack with Redis as its queue', () => {
  let redis: TestRedis;
  let stack: TestStack;

  before(async () => {
    redis = await startRedis();
    const env = { QUEUE_URL: redis.url, FREE_SESSION_LIMIT: '2s', SWEEP_INTERVAL: '10m' };
    stack = await startStack({ env });
  });
  after(async () => {
    await stack.stop();
    await redis.stop();
  });

  it('ends a free session at its time by a wake-up, long before a sweep would', async () => {
    const { api_key: token } = await stack.account('free');
    const call = caller(Number(new URL(stack.baseUrl).port));
    const session = async (target: string, body?: object): Promise<Session> =>
      JSON.parse((await call(target, { token, ...(body && { body }) })).text) as Session;

    const created = await session('POST /v1/sessions', {});
    const ended = await until(
      async () => {
        const now = await session(`GET /v1/sessions/${created.id}`);
        return now.status === 'destroyed' ? now : undefined;
      },
      { limitMs: 15_000, everyMs: 50 },
    );
    expect(ended.ended_reason).to.equal('duration_cap');
    expect(Date.parse(String(ended.destroyed_at))).to.be.at.least(Date.parse(String(created.expires_at)));
  });

  it('counts requests in Redis, for every process that serves', async () => {
    const { api_key: token } = await stack.account('free');
    const call = caller(Number(new URL(stack.baseUrl).port));
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('POST /v1/sessions', { token, body: {} })),
    );
    const limited = answers.filter(({ text }) => text.includes('/rate-limited'));
    expect(limited).to.have.length(2);
    for (const { headers } of limited) expect(Number(headers['retry-after'])).to.be.greaterThan(0);
  });
});

import { expect } from 'chai';
import { Service } from 'service/client';
import { until } from '../testbed/index.ts';
import { startScaledStack, type ScaledStack } from './scaled-stack.ts';

/** Order of restarts in the documentation of upgrades. */
const order = ['projector', 'processes', 'worker', 'write-api', 'read-api', 'gateway', 'node'] as const;
const inTime = { limitMs: 120_000, everyMs: 50 };

/** Tasks that a customer repeats. */
const errands: Readonly<Record<string, (service: Service) => Promise<unknown>>> = {
  'a session': async ({ sessions }) => {
    const session = await sessions.create();
    await session.navigate('http://sim.test/');
    await session.end();
  },
  'a key that is listed and revoked': async ({ keys }) => {
    const { id } = await keys.create({ name: 'made while roles restart', scopes: ['read'] });
    expect((await keys.get(id)).id).to.equal(id);
    await keys.revoke(id);
  },
  'a turn of an agent': async ({ agents }) => {
    const agent = await agents.create();
    await agent.send('go to http://sim.test/');
    await agent.end();
  },
  'a look at the account': async ({ account, sessions }) => {
    await account.me();
    await sessions.list({ limit: 5 }).byPage().next();
  },
};

/** Runs all tasks until it is stopped. The client retries a request once, where the contract permits it. */
function startLoad(baseUrl: string, apiKey: string) {
  const [failed, times]: [string[], number[]] = [[], []];
  const done: Record<string, number> = Object.fromEntries(Object.keys(errands).map((name) => [name, 0]));
  let again = 0;
  let stopped = false;
  const service = new Service({
    ...{ baseUrl, apiKey, maxRetries: 1 },
    fetch: async (url, init) => {
      const startedAt = performance.now();
      const response = await fetch(url, init);
      times.push(performance.now() - startedAt);
      return response;
    },
    logger: { warn: () => (again += 1) },
  });
  const repeat = async ([name, errand]: (typeof running)[number]): Promise<void> => {
    while (!stopped) {
      await errand(service).catch((error: unknown) => failed.push(`${name}: ${String(error)}`));
      done[name] = (done[name] ?? 0) + 1;
    }
  };
  const running = Object.entries(errands);
  const ended = Promise.all(running.map(repeat));
  return {
    failed,
    /** Resolves when each task was done once more from its beginning. */
    goesOn: async () => {
      const before = { ...done };
      await until(() => running.every(([name]) => (done[name] ?? 0) >= (before[name] ?? 0) + 2), inTime);
    },
    stop: async () => {
      stopped = true;
      await ended;
      const [p50, p99] = [0.5, 0.99].map((share) => quantile(times, share));
      return { requests: times.length, again, p50, p99 };
    },
  };
}

const quantile = (values: readonly number[], share: number): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0);

describe('a rolling restart of every role under load', function () {
  this.timeout(900_000);
  let stack: ScaledStack;
  let load: ReturnType<typeof startLoad>;

  before(async () => {
    stack = await startScaledStack();
    load = startLoad(stack.baseUrl, (await stack.account()).api_key);
    await load.goesOn();
  });
  after(async () => {
    const figures = await load.stop();
    await stack.stop();
    process.stdout.write(`    ${JSON.stringify(figures)}\n`);
  });

  for (const role of order)
    it(`fails no request while one ${role} after the other is restarted`, async () => {
      for (const member of stack.members.filter((each) => each.role === role)) {
        expect(await member.restart(), member.name).to.equal(0);
        await load.goesOn();
      }
      expect(load.failed).to.deep.equal([]);
    });
});

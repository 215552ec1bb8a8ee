import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { Service, type Fetch } from 'service/client';
import { percentile } from '../bench/latency.ts';
import { until } from '../testbed/index.ts';

const inTime = { limitMs: 120_000, everyMs: 50 };

export type Errands = Readonly<Record<string, (service: Service) => Promise<unknown>>>;

/** Tasks that a customer repeats. */
const errands: Errands = {
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

export interface LoadOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: Fetch;
  /** Milliseconds between two begins of a task, or more if it takes longer. */
  readonly everyMs?: number;
  /** More tasks. */
  readonly also?: Errands;
}

/** Runs all tasks until it is stopped. The client retries a request once, where the contract permits it. */
export function startLoad({ baseUrl, apiKey, fetch, everyMs = 0, also = {} }: LoadOptions) {
  const running = Object.entries({ ...errands, ...also });
  const [failed, times]: [string[], number[]] = [[], []];
  const done: Record<string, number> = Object.fromEntries(running.map(([name]) => [name, 0]));
  let [again, stopped] = [0, false];
  const beganAt = performance.now();
  const service = new Service({
    ...{ baseUrl, apiKey, maxRetries: 1 },
    fetch: async (url, init) => {
      const startedAt = performance.now();
      const response = await fetch(url, init);
      if (!url.endsWith('/message')) times.push(performance.now() - startedAt);
      return response;
    },
    logger: { warn: () => (again += 1) },
  });
  const repeat = async ([name, errand]: (typeof running)[number]): Promise<void> => {
    while (!stopped) {
      const pause = delay(everyMs);
      await errand(service).catch((error: unknown) => failed.push(`${name}: ${String(error)}`));
      done[name] = (done[name] ?? 0) + 1;
      await pause;
    }
  };
  const ended = Promise.all(running.map(repeat));
  return {
    failed,
    /** Resolves when each task was done once more from its beginning. */
    goesOn: async () => {
      const before = { ...done };
      await until(() => running.every(([name]) => (done[name] ?? 0) >= (before[name] ?? 0) + 2), inTime);
    },
    /** Times are those of all requests but messages, which may wait for a model. */
    stop: async () => {
      stopped = true;
      await ended;
      const [p50, p99] = [0.5, 0.99].map((share) => Math.round(percentile(times, share)));
      const perSecond = Math.round(times.length / ((performance.now() - beganAt) / 1000));
      return { requests: times.length, perSecond, again, p50, p99 };
    },
  };
}

import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { pino } from 'pino';
import { Pool } from './pool.ts';
import { shareStarts } from './starts.ts';

interface Given {
  readonly size: number;
  readonly atOnce?: number;
  /** Awaited by the close of a browser. */
  readonly closing?: () => Promise<void>;
}

/** A pool whose browsers are numbers in the order of their starts; the test ends each start. */
function poolOf({ size, atOnce = 1, closing = async () => undefined }: Given) {
  const started: { ready(): void; fail(error: Error): void }[] = [];
  const closed: number[] = [];
  const dying: (() => void)[] = [];
  const start = () =>
    new Promise<ReturnType<typeof browser>>((resolve, reject) => {
      const number = started.length + 1;
      started.push({ ready: () => resolve(browser(number)), fail: reject });
    });
  const browser = (number: number) => ({
    number,
    alive: true,
    onDeath: (listener: () => void) => void (dying[number] = listener),
    close: async () => {
      closed.push(number);
      await closing();
    },
  });
  const pool = new Pool({ size, start, starts: shareStarts(atOnce), logger: pino({ level: 'silent' }) });
  const taken: string[] = [];
  const take = async (tenant: string, signal?: AbortSignal) => {
    const { number } = await pool.take({ tenant, signal });
    taken.push(`${tenant} ${number}`);
  };
  /** Ends the last start, which is the one that runs. */
  const end = async (outcome: 'ready' | 'fails' = 'ready') => {
    const running = started.at(-1);
    if (outcome === 'ready') running?.ready();
    else running?.fail(new Error('It does not start.'));
    await turn();
  };
  const proven = async () => {
    const proof = pool.prove();
    await turn();
    await end();
    await proof;
  };
  return {
    pool,
    take,
    taken,
    closed,
    end,
    proven,
    starts: () => started.length,
    die: (n: number) => dying[n]?.(),
  };
}

describe('the pool of browsers', () => {
  it('replaces a dead browser also if not all of it ends', async () => {
    const closing = () => Promise.reject(new Error('It does not end.'));
    const { take, taken, end, proven, die } = poolOf({ size: 1, closing });
    await proven();
    die(1);
    await turn();
    const waits = take('one');
    await end();
    await waits;
    expect(taken).to.deep.equal(['one 2']);
  });

  it('returns a ready browser at once, and starts a replacement', async () => {
    const { take, taken, end, proven, starts } = poolOf({ size: 1 });
    await proven();
    await take('one');
    expect([taken, starts()]).to.deep.equal([['one 1'], 2]);
    await end();
    await take('one');
    expect([taken, starts()]).to.deep.equal([['one 1', 'one 2'], 3]);
  });

  it('gives the next ready browser to an account that has none yet', async () => {
    const { take, taken, end } = poolOf({ size: 0 });
    for (let count = 0; count < 3; count += 1) void take('greedy');
    await turn();
    await end();
    void take('other');
    await turn();
    await end();
    await end();
    await end();
    expect(taken).to.deep.equal(['greedy 1', 'other 2', 'greedy 3', 'greedy 4']);
  });

  it('starts only as many browsers as are requested and kept', async () => {
    const { take, taken, closed, end, proven, starts } = poolOf({ size: 1, atOnce: 2 });
    await proven();
    await Promise.all([take('one'), take('two').catch(String), turn().then(() => end())]);
    await end();
    await end();
    await end();
    expect({ taken: taken.length, starts: starts(), closed }).to.deep.equal({
      taken: 2,
      starts: 3,
      closed: [],
    });
  });

  it('keeps nothing for a create that was aborted', async () => {
    const { take, closed, end, taken } = poolOf({ size: 0 });
    const ending = new AbortController();
    const refused = take('one', ending.signal).catch(String);
    await turn();
    ending.abort(new Error('It ended.'));
    expect(await refused).to.include('It ended.');
    await end();
    expect({ closed, taken }).to.deep.equal({ closed: [1], taken: [] });
  });

  it('fails a create whose start fails', async () => {
    const { take, end } = poolOf({ size: 0 });
    const failed = take('one').catch(String);
    await turn();
    await end('fails');
    expect(await failed).to.include('It does not start.');
  });

  it('starts another browser for a create whose own was taken by another account', async () => {
    const { take, taken, end, starts } = poolOf({ size: 0 });
    const all = [take('greedy'), take('greedy')];
    await turn();
    await end();
    all.push(take('other'));
    await turn();
    await end();
    expect(taken).to.deep.equal(['greedy 1', 'other 2']);
    await end('fails');
    await end();
    await Promise.all(all);
    expect([taken.at(-1), starts()]).to.deep.equal(['greedy 4', 4]);
  });

  it('replaces a browser that dies in the pool', async () => {
    const { take, taken, closed, end, proven, die } = poolOf({ size: 1 });
    await proven();
    die(1);
    await turn();
    const waits = take('one');
    await end();
    await waits;
    expect({ closed, taken }).to.deep.equal({ closed: [1], taken: ['one 2'] });
  });

  it('closes a browser that becomes ready after the pool was closed', async () => {
    const { pool, take, closed, end } = poolOf({ size: 1 });
    void take('one').catch(() => undefined);
    await turn();
    const over = pool.close();
    await end();
    await over;
    expect(closed).to.deep.equal([1]);
  });
});

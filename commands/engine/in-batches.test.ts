import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { inBatches } from './in-batches.ts';

describe('work in batches', () => {
  it('runs a limited number of items at once, and returns the results in order', async () => {
    let [atWork, most] = [0, 0];
    const results = await inBatches([3, 1, 2, 5, 4], 2, async (turns) => {
      most = Math.max(most, (atWork += 1));
      for (let left = turns; left > 0; left -= 1) await turn();
      atWork -= 1;
      return turns * 10;
    });
    expect(results).to.deep.equal([30, 10, 20, 50, 40]);
    expect(most).to.equal(2);
  });

  it('begins no batch after the signal is aborted, and returns the results until there', async () => {
    const end = new AbortController();
    const work = async (item: number) => {
      if (item === 2) end.abort();
      await turn();
      return item;
    };
    expect(await inBatches([1, 2, 3, 4], 2, work, end.signal)).to.deep.equal([1, 2]);
  });

  it('rejects with the first failure, once every started item has ended', async () => {
    const ended: number[] = [];
    const failing = inBatches([1, 2, 3, 4], 3, async (item) => {
      if (item === 1) throw new Error('failed');
      for (let left = item; left > 0; left -= 1) await turn();
      ended.push(item);
    });
    expect(await failing.catch(String)).to.equal('Error: failed');
    expect(ended).to.deep.equal([2, 3]);
  });
});

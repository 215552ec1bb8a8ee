import { expect } from 'chai';
import { Permits } from './permits.ts';

describe('permits', () => {
  it('are given to so many at once, and then to who has waited longest', async () => {
    const permits = new Permits(2);
    const order: number[] = [];
    let [atWork, most] = [0, 0];
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        await permits.take();
        order.push(index);
        atWork += 1;
        most = Math.max(most, atWork);
        await new Promise(setImmediate);
        atWork -= 1;
        permits.giveBack();
      }),
    );
    expect(most).to.equal(2);
    expect(order).to.deep.equal(Array.from({ length: 50 }, (_, index) => index));
  });

  it('that come back together are given out over several turns of the event loop', async () => {
    const permits = new Permits(30);
    await Promise.all(Array.from({ length: 30 }, () => permits.take()));
    let given = 0;
    for (let index = 0; index < 30; index += 1) void permits.take().then(() => (given += 1));
    for (let index = 0; index < 30; index += 1) permits.giveBack();
    await new Promise(setImmediate);
    expect(given).to.be.within(1, 29);
    while (given < 30) await new Promise(setImmediate);
  });
});

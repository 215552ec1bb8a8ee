import { expect } from 'chai';
import { Semaphore } from './semaphore.ts';

describe('permits', () => {
  it('are granted up to their number, and then in FIFO order', async () => {
    const permits = new Semaphore(2);
    const order: number[] = [];
    let [atWork, most] = [0, 0];
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        await permits.acquire();
        order.push(index);
        atWork += 1;
        most = Math.max(most, atWork);
        await new Promise(setImmediate);
        atWork -= 1;
        permits.release();
      }),
    );
    expect(most).to.equal(2);
    expect(order).to.deep.equal(Array.from({ length: 50 }, (_, index) => index));
  });

  it('that are released together are acquired over several turns of the event loop', async () => {
    const permits = new Semaphore(30);
    await Promise.all(Array.from({ length: 30 }, () => permits.acquire()));
    let given = 0;
    for (let index = 0; index < 30; index += 1) void permits.acquire().then(() => (given += 1));
    for (let index = 0; index < 30; index += 1) permits.release();
    await new Promise(setImmediate);
    expect(given).to.be.within(1, 29);
    while (given < 30) await new Promise(setImmediate);
  });

  it('that are all in use leave the process idle, even with waiters', async () => {
    const permits = new Semaphore(1);
    await permits.acquire();
    const next = permits.acquire();
    void permits.acquire();
    permits.release();
    await next;
    expect(process.getActiveResourcesInfo()).not.to.include('Immediate');
  });
});

import { expect } from 'chai';
import { toId } from '../../contracts/ids.ts';
import { Refusal } from '../../contracts/problems.ts';
import { spoolRoom } from './spool-room.ts';

const account = (digit: number) => toId('account', `${digit}1111111-1111-4111-8111-111111111111`);

async function* bytes(count: number): AsyncGenerator<Buffer> {
  for (let left = count; left > 0; left -= 1) yield Buffer.alloc(1);
}
const stays = new AbortController().signal;
const spooled = async (content: AsyncIterable<Buffer>) => {
  let read = 0;
  for await (const { length } of content) read += length;
  return read;
};

describe('the room for files that are received', () => {
  it('is taken by bytes that have arrived, not by those that were announced, until the release', async () => {
    const reserve = spoolRoom({ field: 'data', mostBytes: 100 }, 100);
    const [one, other] = [reserve(account(1), 100), reserve(account(2), 100)];
    expect(await spooled(one?.counted(bytes(60)) ?? bytes(0))).to.equal(60);
    const refused = await spooled(other?.counted(bytes(41)) ?? bytes(0)).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Refusal).and.include({ slug: 'feature-unavailable' });
    expect((refused as Refusal).extensions).to.deep.equal({ retry_after_seconds: 5 });
    other?.release();
    one?.release();
    expect(await spooled(reserve(account(3))?.counted(bytes(100)) ?? bytes(0))).to.equal(100);
  });

  it('lets eight files be processed at the same time, accounts in turn', async () => {
    const reserve = spoolRoom({ field: 'data', mostBytes: 100 });
    const of = (digit: number) => {
      const reservation = reserve(account(digit));
      if (reservation === undefined) throw new Error('There is no room.');
      return reservation;
    };
    const running = [1, 1, 2, 2, 3, 3, 4, 4].map(of);
    await Promise.all(running.map((each) => each.turn(stays)));
    const order: string[] = [];
    const wait = async (digit: number, name: string) => {
      const reservation = of(digit);
      await reservation.turn(stays);
      order.push(name);
    };
    const waiting = [wait(5, 'first'), wait(5, 'second'), wait(6, 'neighbour')];
    for (const each of running.slice(0, 3)) {
      each.release();
      each.release();
      await new Promise(setImmediate);
    }
    await Promise.all(waiting);
    expect(order).to.deep.equal(['neighbour', 'first', 'second']);
    const left = new AbortController();
    const gone = of(7).turn(left.signal);
    left.abort();
    expect(await gone.catch((error: unknown) => error)).to.include({ slug: 'feature-unavailable' });
  });

  it('is that of an account by announced bytes if the route says so, and is given back', () => {
    const reserve = spoolRoom({ field: 'data', mostBytes: 100, accountBytes: 150 });
    const first = reserve(account(1));
    expect(reserve(account(1))).to.equal(undefined);
    expect(reserve(account(1), 50)).to.not.equal(undefined);
    first?.release();
    expect(reserve(account(1))).to.not.equal(undefined);
  });
});

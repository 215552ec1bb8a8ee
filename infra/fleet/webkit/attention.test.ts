import { expect } from 'chai';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import { shareAttention, type Attention } from './attention.ts';

describe('the share of the processors that browsers have', () => {
  let timers: SinonFakeTimers;
  let parts: number[];
  let usedMs: (number | undefined)[];
  let attendTo: (index: number) => Attention;
  let first: Attention;
  let second: Attention;
  beforeEach(() => {
    timers = useFakeTimers();
    const attend = shareAttention();
    parts = [];
    usedMs = [0, 0];
    attendTo = (index) => {
      parts[index] = 1;
      return attend({
        weigh: async (part) => void (parts[index] = part),
        processorMs: () => usedMs[index],
      });
    };
    first = attendTo(0);
    second = attendTo(1);
  });
  afterEach(() => timers.restore());

  /** The processor time that the first browser takes, looked at. */
  const take = async (milliseconds: number) => {
    usedMs[0] = (usedMs[0] ?? 0) + milliseconds;
    await timers.tickAsync(50);
  };

  /** An operation that no answer has come to yet. */
  const ask = ({ during }: Pick<Attention, 'during'>) => {
    let answer: () => void = () => undefined;
    void during(() => new Promise<void>((resolve) => (answer = resolve)));
    return answer;
  };

  /** Of each, where the greatest is 1. */
  const relative = () => parts.map((part) => Number((part / Math.max(...parts)).toFixed(6)));

  /** Of the second browser; the kernel is not told less than a tenth. */
  const expectFortieth = () => expect((parts[1] ?? 0) / (parts[0] ?? 0)).to.be.closeTo(1 / 40, 1 / 400);

  it('is the same for all while callers wait for none', () => {
    expect(relative()).to.deep.equal([1, 1]);
  });

  it('is a fortieth for one that is idle while a caller waits for another, and for a second after it', async () => {
    const answer = ask(first);
    expectFortieth();
    answer();
    await timers.tickAsync(999);
    expectFortieth();
    await timers.tickAsync(1);
    expect(relative()).to.deep.equal([1, 1]);
  });

  it('is the same for all that callers wait for', () => {
    ask(first);
    ask(second);
    expect(relative()).to.deep.equal([1, 1]);
  });

  const yields: readonly (readonly [milliseconds: number, part: number])[] = [
    [249, 1],
    [250, 1 / 4],
    [999, 1 / 4],
    [1_000, 1 / 10],
  ];
  for (const [milliseconds, part] of yields) {
    it(`is ${part} after ${milliseconds} ms of processor time on one operation beside a new one on another`, async () => {
      ask(first);
      await take(0);
      await take(milliseconds);
      ask(second);
      expect(relative()).to.deep.equal([part, 1]);
    });
  }

  it('is whole again with the next operation', async () => {
    ask(first);
    await take(0);
    await take(2_000);
    ask(second);
    ask(first);
    expect(relative()).to.deep.equal([1, 1]);
  });

  it('goes by the whole of an operation, however many parts it has', async () => {
    ask(first);
    await take(0);
    await take(2_000);
    ask({ during: first.within });
    ask(second);
    expect(relative()).to.deep.equal([1 / 10, 1]);
  });

  it('is still more than that of an idle one, however much an operation has taken', async () => {
    ask(first);
    await take(0);
    await take(2_000);
    expect(relative()).to.deep.equal([1, 1 / 4]);
  });

  it('is for all together that of a process of the service at most, and of two while callers wait for none', () => {
    const others = Array.from({ length: 14 }, (_, index) => attendTo(index + 2));
    expect(parts).to.have.length(16);
    const sum = () => parts.reduce((all, part) => all + part, 0);
    expect(sum()).to.be.within(1.8, 2.2);
    for (const each of [first, second, ...others]) ask(each);
    expect(sum()).to.be.within(0.9, 1.1);
  });

  it('goes by whether callers wait where the kernel does not count', async () => {
    usedMs = [undefined, undefined];
    ask(first);
    await timers.tickAsync(10_000);
    expectFortieth();
  });

  it('is whole for one that ends, whose memory is others’', () => {
    ask(first);
    second.close();
    expect(parts[1]).to.equal(1);
  });

  it('is given back when the one that a caller waits for is closed', () => {
    ask(first);
    first.close();
    expect(parts[1]).to.equal(1);
  });
});

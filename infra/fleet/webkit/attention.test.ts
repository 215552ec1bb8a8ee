import { expect } from 'chai';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import { shareAttention, type Attention } from './attention.ts';

describe('the CPU weight of browsers', () => {
  let timers: SinonFakeTimers;
  let parts: number[];
  let confined: boolean[];
  let usedMs: (number | undefined)[];
  let attendTo: (index: number) => Attention;
  let first: Attention;
  let second: Attention;
  beforeEach(() => {
    timers = useFakeTimers();
    const attend = shareAttention();
    parts = [];
    confined = [];
    usedMs = [0, 0];
    attendTo = (index) => {
      parts[index] = 1;
      confined[index] = false;
      return attend({
        weigh: async (part) => void (parts[index] = part),
        confine: async (isConfined) => void (confined[index] = isConfined),
        processorMs: () => usedMs[index],
      });
    };
    first = attendTo(0);
    second = attendTo(1);
  });
  afterEach(() => timers.restore());

  /** Processor time of the first browser, as the controller reads it. */
  const take = async (milliseconds: number) => {
    usedMs[0] = (usedMs[0] ?? 0) + milliseconds;
    await timers.tickAsync(50);
  };

  /** An operation that has not been answered yet. */
  const ask = ({ during }: Pick<Attention, 'during'>) => {
    let answer: () => void = () => undefined;
    void during(() => new Promise<void>((resolve) => (answer = resolve)));
    return answer;
  };

  const attendTogether = (count: number) => Array.from({ length: count }, () => attendTo(parts.length));

  const sumOf = (some: readonly number[]) => some.reduce((all, part) => all + part, 0);

  /** Weights of the browsers, relative to the largest. */
  const relative = () => parts.map((part) => Number((part / Math.max(...parts)).toFixed(6)));

  /** Weight of one browser, of another one's. Changes of less than a tenth are not written to the kernel. */
  const expectFortieth = (one = 1, other = 0) =>
    expect((parts[one] ?? 0) / (parts[other] ?? 0)).to.be.closeTo(1 / 40, 1 / 400);

  it('is equal while no browser has an operation', () => {
    expect(relative()).to.deep.equal([1, 1]);
  });

  it('is a fortieth for an idle browser while another has an operation, and for a second after it', async () => {
    const answer = ask(first);
    expectFortieth();
    answer();
    await timers.tickAsync(999);
    expectFortieth();
    await timers.tickAsync(1);
    expect(relative()).to.deep.equal([1, 1]);
  });

  it('is equal for all browsers with an operation', () => {
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
    it(`is ${part} after ${milliseconds} ms of processor time in one operation, beside a new one on another browser`, async () => {
      ask(first);
      await take(0);
      await take(milliseconds);
      ask(second);
      expect(relative()).to.deep.equal([part, 1]);
    });
  }

  it('is full again with the next operation', async () => {
    ask(first);
    await take(0);
    await take(2_000);
    ask(second);
    ask(first);
    expect(relative()).to.deep.equal([1, 1]);
  });

  it('counts an operation as a whole, however many parts it has', async () => {
    ask(first);
    await take(0);
    await take(2_000);
    ask({ during: first.within });
    ask(second);
    expect(relative()).to.deep.equal([1 / 10, 1]);
  });

  it('of a long operation stays above that of an idle browser', async () => {
    ask(first);
    await take(0);
    await take(2_000);
    expect(relative()).to.deep.equal([1, 1 / 4]);
  });

  it('is at most that of two service processes for all browsers together while none has an operation', () => {
    attendTogether(14);
    expect(sumOf(parts)).to.be.within(1.8, 2.2);
  });

  it('is at most that of one for all browsers together while their operations have used much', async () => {
    attendTogether(14).forEach(ask);
    usedMs = parts.map(() => 0);
    await timers.tickAsync(50);
    usedMs = parts.map(() => 2_000);
    await timers.tickAsync(50);
    expect(sumOf(parts)).to.be.within(0.9, 1.1);
  });

  it('is at least half that of one for each browser with an operation, however many there are', () => {
    attendTogether(14);
    for (const each of [first, second]) ask(each);
    attendTogether(14).forEach(ask);
    expect(parts.slice(0, 2)).to.deep.equal([0.5, 0.5]);
    expect(sumOf(parts.slice(2, 16))).to.be.below(0.1);
  });

  it('depends only on whether there is an operation where the kernel counts no processor time', async () => {
    usedMs = [undefined, undefined];
    ask(first);
    await timers.tickAsync(10_000);
    expectFortieth();
  });

  it('of all browsers of an account together is that of one browser of another', () => {
    const third = attendTo(2);
    for (const each of [first, second]) each.belongTo('one');
    third.belongTo('other');
    for (const each of [first, second, third]) ask(each);
    expect(relative()).to.deep.equal([0.5, 0.5, 1]);
  });

  it('is divided within an account by whether a caller waits', () => {
    for (const each of [first, second]) each.belongTo('one');
    ask(first);
    expectFortieth();
  });

  it('is full for a browser that is shutting down, which frees memory for others', () => {
    ask(first);
    second.close();
    expect(parts[1]).to.equal(1);
  });

  it('is restored when the browser with an operation is closed', () => {
    ask(first);
    first.close();
    expect(parts[1]).to.equal(1);
  });

  it('is a quarter for a browser that starts, however much it uses, and of an idle one once it has started', async () => {
    ask(second);
    const started = ask({ during: first.starting });
    await take(0);
    await take(2_000);
    expect(relative()).to.deep.equal([1 / 4, 1]);
    started();
    await timers.tickAsync(0);
    expectFortieth(0, 1);
  });

  describe('and the processors that they may run on', () => {
    it('are fewer for all idle browsers while another has an operation, and for a second after it', async () => {
      attendTo(2);
      const answer = ask(first);
      expect(confined).to.deep.equal([false, true, true]);
      answer();
      await timers.tickAsync(999);
      expect(confined).to.deep.equal([false, true, true]);
      await timers.tickAsync(1);
      expect(confined).to.deep.equal([false, false, false]);
    });

    it('are fewer for a browser whose operation has used much, while that of another has used little', async () => {
      ask(first);
      await take(0);
      await take(250);
      expect(confined).to.deep.equal([false, false]);
      const answer = ask(second);
      expect(confined).to.deep.equal([true, false]);
      answer();
      await timers.tickAsync(1_000);
      expect(confined).to.deep.equal([false, false]);
    });

    it('are fewer for a starting browser, while another has an operation', () => {
      ask({ during: first.starting });
      expect(confined).to.deep.equal([false, false]);
      ask(second);
      expect(confined).to.deep.equal([true, false]);
    });

    it('are all of them again when the browser with the operation is closed', () => {
      ask(first);
      first.close();
      expect(confined[1]).to.equal(false);
    });
  });
});

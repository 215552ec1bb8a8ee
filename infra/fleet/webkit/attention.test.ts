import { expect } from 'chai';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import { shareAttention, type Attention } from './attention.ts';

describe('the share of the processors that browsers have', () => {
  let timers: SinonFakeTimers;
  let parts: number[];
  let first: Attention;
  let second: Attention;
  beforeEach(() => {
    timers = useFakeTimers();
    const attend = shareAttention();
    parts = [1, 1];
    first = attend((part) => (parts[0] = part));
    second = attend((part) => (parts[1] = part));
  });
  afterEach(() => timers.restore());

  /** An operation that no answer has come to yet. */
  const ask = ({ during }: Attention) => {
    let answer: () => void = () => undefined;
    void during(() => new Promise<void>((resolve) => (answer = resolve)));
    return answer;
  };

  it('is whole while callers wait for none', () => {
    expect(parts).to.deep.equal([1, 1]);
  });

  it('is a twentieth for one that is idle while a caller waits for another, and for a second after it', async () => {
    const answer = ask(first);
    expect(parts).to.deep.equal([1, 1 / 20]);
    answer();
    await timers.tickAsync(999);
    expect(parts).to.deep.equal([1, 1 / 20]);
    await timers.tickAsync(1);
    expect(parts).to.deep.equal([1, 1]);
  });

  it('is whole for all that callers wait for', () => {
    ask(first);
    ask(second);
    expect(parts).to.deep.equal([1, 1]);
  });

  it('is given back when the one that a caller waits for is closed', () => {
    ask(first);
    first.close();
    expect(parts[1]).to.equal(1);
  });
});

import { expect } from 'chai';
import { FairTurns } from './fair-turns.ts';

describe('fair turns', () => {
  /** Begins a work for each key; `end` ends the first of a key. */
  const begin = (keys: string) => {
    const turns = new FairTurns({ total: 3, perKey: 2 });
    const running: { readonly key: string; readonly end: () => void }[] = [];
    const works = Array.from(keys, (key) =>
      turns.hold(key, () => new Promise<void>((end) => running.push({ key, end }))),
    );
    const end = async (key: string) => {
      const [first] = running.splice(
        running.findIndex((each) => each.key === key),
        1,
      );
      first?.end();
      await new Promise(setImmediate);
    };
    const now = () => running.map(({ key }) => key).join('');
    return { works, end, now };
  };

  it('leave a place to other keys, and give it to the next key', async () => {
    const { works, end, now } = begin('aaaaabbb');
    await new Promise(setImmediate);
    expect(now()).to.equal('aab');
    await end('a');
    expect(now()).to.equal('abb');
    await end('b');
    expect(now()).to.equal('aba');
    while (now() !== '') await end(now().charAt(0));
    await Promise.all(works);
  });

  it('go on after a work that fails', async () => {
    const turns = new FairTurns({ total: 1, perKey: 1 });
    const failed = turns.hold('a', () => Promise.reject(new Error('failed')));
    const next = turns.hold('a', async () => 'done');
    expect(await failed.catch((error: unknown) => String(error))).to.equal('Error: failed');
    expect(await next).to.equal('done');
  });
});

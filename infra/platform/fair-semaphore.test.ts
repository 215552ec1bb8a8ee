import { expect } from 'chai';
import fc from 'fast-check';
import { FairSemaphore } from './fair-semaphore.ts';

const keys = ['a', 'b', 'c', 'd'];
const turn = () => new Promise(setImmediate);

/** Acquires and releases in steps, and records the order in which permits were granted. */
class Trial {
  readonly granted: { readonly key: string | undefined; readonly index: number }[] = [];
  readonly asked = new Map<string | undefined, number>();
  held = 0;
  readonly #permits: FairSemaphore;

  constructor(count: number) {
    this.#permits = new FairSemaphore(count);
  }

  async ask(key: string | undefined, signal?: AbortSignal): Promise<void> {
    const index = this.asked.get(key) ?? 0;
    this.asked.set(key, index + 1);
    void this.#permits.acquire(key, signal).then(
      () => {
        this.held += 1;
        this.granted.push({ key, index });
      },
      () => undefined,
    );
    await turn();
  }

  async giveBack(): Promise<void> {
    if (this.held === 0) return;
    this.held -= 1;
    this.#permits.release();
    await turn();
  }

  async giveAllBack(): Promise<void> {
    while (this.held > 0) await this.giveBack();
  }

  waiting(key: string | undefined): number {
    return this.#permits.waiting(key);
  }

  get order(): string {
    return this.granted.map(({ key }) => key ?? '-').join('');
  }
}

const trialWith = async (count: number, keys: string) => {
  const trial = new Trial(count);
  for (const key of keys) await trial.ask(key === '-' ? undefined : key);
  return trial;
};

describe('permits of a fair semaphore', () => {
  const orders: readonly (readonly [sentence: string, count: number, asked: string, granted: string])[] = [
    ['are granted in FIFO order within a key', 1, 'aaaa', 'aaaa'],
    ['go to the waiting keys in turn', 1, 'aaaabb', 'ababaa'],
    ['go to a new key before the key that has all of them gets more', 2, 'aaaaaab', 'aabaaaa'],
    ['go first to the key with the fewest requests, of those that had none', 1, 'aabbbbcccd', 'adcbacbcbb'],
    ['go to a request without a key when no other waits', 1, 'a--aab', 'abaa--'],
  ];
  for (const [sentence, count, asked, granted] of orders)
    it(sentence, async () => {
      const trial = await trialWith(count, asked);
      await trial.giveAllBack();
      expect(trial.order).to.equal(granted);
    });

  it('go first to the key whose last one was granted longest ago, though it does not wait all the time', async () => {
    const trial = await trialWith(1, 'abcc');
    await trial.giveBack();
    await trial.giveBack();
    await trial.giveBack();
    // `b` and `a` ask again while `c` has its second permit and asks for more.
    for (const key of 'cba') await trial.ask(key);
    await trial.giveAllBack();
    expect(trial.order).to.equal('abccabc');
  });

  it('are not granted to an aborted request, and go to the next one', async () => {
    const trial = await trialWith(1, 'a');
    const leaving = new AbortController();
    await trial.ask('b', leaving.signal);
    await trial.ask('b');
    leaving.abort();
    expect(trial.waiting('b')).to.equal(1);
    await trial.giveAllBack();
    expect(trial.granted.slice(1)).to.deep.equal([{ key: 'b', index: 1 }]);
  });

  it('are rejected with the reason of the abort', async () => {
    const permits = new FairSemaphore(0);
    const reason = new Error('It ended.');
    const leaving = new AbortController();
    const asked = permits.acquire('a', leaving.signal);
    leaving.abort(reason);
    const both = [asked, permits.acquire('a', leaving.signal)].map((each) =>
      each.catch((error: unknown) => error),
    );
    expect(await Promise.all(both)).to.deep.equal([reason, reason]);
  });

  it('follow these rules in any order of requests and releases', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.constantFrom('a', 'b', 'c', 'd', undefined, 'back', 'back'), { maxLength: 60 }),
        async (count, steps) => {
          const trial = new Trial(count);
          /** Permits granted to others while a key waited without one of its own. */
          const passed = new Map<string, Map<string, number>>();
          const observe = (from: number) => {
            for (const { key } of trial.granted.slice(from)) {
              if (key === undefined) continue;
              passed.delete(key);
              for (const others of passed.values()) others.set(key, (others.get(key) ?? 0) + 1);
            }
            for (const key of keys) {
              if (trial.waiting(key) === 0) passed.delete(key);
              else if (!passed.has(key)) passed.set(key, new Map());
            }
            for (const others of passed.values())
              for (const times of others.values()) expect(times).to.be.at.most(1);
          };
          const isKeyWaiting = () => keys.some((key) => trial.waiting(key) > 0);
          for (const step of steps) {
            const from = trial.granted.length;
            const wasWaiting = isKeyWaiting();
            await (step === 'back' ? trial.giveBack() : trial.ask(step));
            observe(from);
            const waits = isKeyWaiting() || trial.waiting(undefined) > 0;
            expect(trial.held).to.be.at.most(count);
            if (waits) expect(trial.held, 'unused while one waits').to.equal(count);
            if (wasWaiting) expect(trial.granted.slice(from).map(({ key }) => key)).not.to.include(undefined);
          }
          await trial.giveAllBack();
          for (const [key, asked] of trial.asked)
            expect(trial.granted.filter((each) => each.key === key).map(({ index }) => index)).to.deep.equal(
              Array.from({ length: asked }, (_, index) => index),
            );
        },
      ),
      { numRuns: 60 },
    ));
});

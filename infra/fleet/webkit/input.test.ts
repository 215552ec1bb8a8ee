import { expect } from 'chai';
import { inParts, partMs, type Step } from './input.ts';

interface Tick {
  readonly type: string;
  readonly duration?: number;
}

describe('an input performed in parts', () => {
  const key: Step<Tick> = [{ type: 'keyDown' }, { type: 'keyUp' }];
  const pause = (duration: number): Step<Tick> => [{ type: 'pause', duration }];
  const never = new AbortController().signal;
  const play = async (steps: readonly Step<Tick>[], signal = never, perform?: () => void) => {
    const parts: Tick[][] = [];
    await inParts(
      steps,
      async (ticks) => {
        parts.push(ticks);
        perform?.();
      },
      signal,
    );
    return parts;
  };

  it('is one part when it is short', async () => {
    expect(await play([key, pause(5), key])).to.deep.equal([[...key, ...pause(5), ...key]]);
    expect(await play([])).to.deep.equal([]);
  });

  it('keeps the order and every tick of a long one, and cuts through no step', async () => {
    const steps = Array.from({ length: 1_000 }, (_, index): Step<Tick> => [
      { type: `down ${index}` },
      { type: `up ${index}` },
    ]);
    const parts = await play(steps);
    expect(parts.flat()).to.deep.equal(steps.flat());
    expect(parts.length).to.be.above(1);
    for (const part of parts) expect(part.length % 2).to.equal(0);
  });

  it('has no part that takes longer than it may by its own pauses', async () => {
    const spent = (part: readonly Tick[]) => part.reduce((sum, { duration = 0 }) => sum + duration, 0);
    const parts = await play(Array.from({ length: 20 }, () => [key, pause(partMs / 2)]).flat());
    for (const part of parts) expect(spent(part)).to.be.at.most(partMs);
  });

  it('waits for long pauses itself', async () => {
    const begin = performance.now();
    expect(await play([key, pause(partMs + 50), key])).to.deep.equal([[...key], [...key]]);
    expect(performance.now() - begin).to.be.at.least(partMs);
  });

  it('sends nothing more once it is aborted', async () => {
    const abort = new AbortController();
    let performed = 0;
    const steps = Array.from({ length: 1_000 }, () => key);
    const work = play(steps, abort.signal, () => {
      performed += 1;
      abort.abort(new Error('too late'));
    });
    expect(await work.catch(String)).to.equal('Error: too late');
    expect(performed).to.equal(1);
    expect(await play([pause(60_000)], abort.signal).catch(String)).to.equal('Error: too late');
  });
});

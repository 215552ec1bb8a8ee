import { expect } from 'chai';
import { explore } from './explore.ts';
import { knownFaults, withoutWithdrawal } from './known-faults.ts';
import { simulate, type Run } from './simulate.ts';

/** The seed that every run of the suite explores, besides a new one. */
const fixedSeed = 20260105;
const newSeed = Date.now() % 1_000_000_000;

describe('the service under one scheduler', () => {
  for (const seed of [fixedSeed, newSeed]) {
    it(`keeps its promises under any order, crash and loss of messages (seed ${seed})`, async () => {
      const { failed, report } = await explore({ seed, runs: 2000, withinMs: 4000 });
      expect(failed, report).to.equal(false);
    });
  }

  for (const [fault, variant] of Object.entries(knownFaults)) {
    it(`notices ${fault}`, async () => {
      const { failed, runs } = await explore({ seed: fixedSeed, runs: 3000, variant, shrinks: false });
      expect(failed, `not noticed in ${runs} runs`).to.equal(true);
    });
  }

  it('repeats itself with the same seed, down to the simplest run', async () => {
    const variant = knownFaults['a dispatch without a claim'];
    expect(variant).not.to.equal(undefined);
    const again = () =>
      explore({ seed: fixedSeed, runs: 500, subject: 'sessions', ...(variant && { variant }) });
    const [one, other] = [await again(), await again()];
    expect(one.failed).to.equal(true);
    expect(other.report).to.equal(one.report);
  });

  it('gives a key to another request only once the first can have no effect, at any setting of the clocks', async () => {
    const createOnce = { kind: 'create once', pick: 9 } as const;
    const anHourOn = { kind: 'set the clock', pick: 3 } as const;
    const found: Run = { script: [[createOnce], [anHourOn], [createOnce]], choices: [] };
    const before = await simulate(found, { variant: withoutWithdrawal });
    expect(before.violations.join()).to.match(/N1 one effect per key|N8 slots/);
    expect((await simulate(found)).violations).to.deep.equal([]);
  });
});

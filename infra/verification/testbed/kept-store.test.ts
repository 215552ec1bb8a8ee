import { expect } from 'chai';
import { keepRunning, type StoreRun } from './kept-store.ts';
import { until } from './until.ts';

/** A store whose launches the test completes, and its runs so far. */
function launches() {
  const runs: { run: StoreRun; die: () => void; alive: boolean }[] = [];
  const gates: (() => void)[] = [];
  let held = false;
  const launch = async (): Promise<StoreRun> => {
    if (held) await new Promise<void>((open) => gates.push(open));
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const die = () => {
      entry.alive = false;
      end();
    };
    const run = { pid: runs.length + 1, ended, stop: async () => die() };
    const entry = { run, die, alive: true };
    runs.push(entry);
    return run;
  };
  const alive = () => runs.filter((entry) => entry.alive).map(({ run }) => run.pid);
  return { runs, gates, launch, alive, hold: (hold: boolean) => (held = hold) };
}

describe('a store that is kept running', () => {
  it('is launched again when it dies, until it is stopped', async () => {
    const store = launches();
    const kept = await keepRunning(store.launch);
    store.runs[0]?.die();
    await until(() => kept.pid() === 2);
    await kept.stop();
    expect(store.alive()).to.deep.equal([]);
    expect(kept.pid()).to.equal(undefined);
  });

  it('is stopped even while it is being launched again', async () => {
    const store = launches();
    const kept = await keepRunning(store.launch);
    store.hold(true);
    store.runs[0]?.die();
    await until(() => store.gates.length === 1);
    const stopped = kept.stop();
    store.gates[0]?.();
    await stopped;
    expect(store.alive()).to.deep.equal([]);
  });

  it('runs once, with any number of concurrent stops and starts', async () => {
    const store = launches();
    const kept = await keepRunning(store.launch);
    await Promise.all([kept.stop(), kept.stop(), kept.start(), kept.start()]);
    expect(store.alive()).to.deep.equal([2]);
    await Promise.all([kept.stop(), kept.start(), kept.stop()]);
    expect(store.alive()).to.deep.equal([]);
  });
});

import { expect } from 'chai';
import type { OperationOutcome } from '../../../contracts/fleet/protocol.ts';
import { DispatchMemory } from './dispatch-memory.ts';

describe('the dispatch memory', () => {
  let now = 0;
  let runs = 0;
  const clock = { now: () => new Date(now) };
  const run =
    (result: unknown = 'done') =>
    (): Promise<OperationOutcome> => {
      runs += 1;
      return Promise.resolve({ outcome: 'succeeded', result });
    };
  beforeEach(() => {
    now = 0;
    runs = 0;
  });

  it('runs a dispatch once, even if it is repeated while it runs', async () => {
    const memory = new DispatchMemory({ clock });
    const [first, second] = await Promise.all([memory.once('a', run()), memory.once('a', run())]);
    expect(second).to.equal(first);
    expect(await memory.once('a', run())).to.equal(first);
    expect(runs).to.equal(1);
  });

  it('remembers a dispatch until its time is over', async () => {
    const memory = new DispatchMemory({ clock, keepMs: 1_000 });
    await memory.once('a', run());
    now = 999;
    await memory.once('a', run());
    expect(runs).to.equal(1);
    now = 1_000;
    await memory.once('a', run());
    expect(runs).to.equal(2);
  });

  it('drops the oldest outcomes above its limit of bytes, and still runs no dispatch twice', async () => {
    const memory = new DispatchMemory({ clock, maxBytes: 2_500 });
    for (const id of ['a', 'b', 'c']) await memory.once(id, run('x'.repeat(1_000)));
    expect(JSON.parse(await memory.once('a', run()))).to.have.nested.property('failure.category', 'unknown');
    expect(JSON.parse(await memory.once('c', run()))).to.include({ outcome: 'succeeded' });
    expect(runs).to.equal(3);
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { noControlGroup } from './control-groups.ts';
import { judge, reserveOf } from './reserve.ts';

const MiB = 1024 * 1024;
const GiB = 1024 * MiB;
const machine = (total: number) => ({ total, available: total });
const using = (...memory: number[]) =>
  memory.map((memoryBytes, index) => ({
    browser: {
      session: index,
      directory: `/run/${index}`,
      group: noControlGroup,
      end: () => undefined,
    },
    memoryBytes,
  }));

describe('the memory reserve of a node', () => {
  const reserve = reserveOf(machine(24 * GiB), 4 * GiB);

  it('leaves 2 GiB of the machine to others, and at most half, unless NODE_MEMORY is set', () => {
    const full = [64, 8, 4, 3, 1].map((size) => reserveOf(machine(size * GiB)).full / GiB);
    expect(full).to.deep.equal([62, 6, 2, 1.5, 0.5]);
    expect(reserve.full).to.equal(4 * GiB);
  });

  it('has a margin of a twentieth of the machine, at most 512 MiB', () => {
    const margin = [24, 8].map((size) => Math.round(reserveOf(machine(size * GiB)).margin / MiB));
    expect(margin).to.deep.equal([512, 410]);
  });

  it('is full with NODE_MEMORY in use, which ends no browser', () => {
    expect(judge(reserve, using(2 * GiB, 2 * GiB - 1), 20 * GiB)).to.deep.equal({ full: false });
    expect(judge(reserve, using(2 * GiB, 2 * GiB), 20 * GiB)).to.deep.equal({ full: true });
    expect(judge(reserve, using(3 * GiB, 2 * GiB), 20 * GiB)).to.deep.equal({ full: true });
  });

  it('ends the largest browser with a quarter more than that in use', () => {
    const uses = using(2 * GiB, 3 * GiB, 1);
    expect(judge(reserve, uses, 20 * GiB)).to.deep.equal({ full: true, end: uses[1] });
  });

  it('is full before the machine is short of memory, and ends the largest browser once it is', () => {
    const uses = using(100 * MiB, 300 * MiB, 200 * MiB);
    expect(judge(reserve, uses, 1025 * MiB)).to.deep.equal({ full: false });
    expect(judge(reserve, uses, 1023 * MiB)).to.deep.equal({ full: true });
    expect(judge(reserve, uses, 511 * MiB)).to.deep.equal({ full: true, end: uses[1] });
    expect(judge(reserve, [], 0)).to.deep.equal({ full: true });
  });

  it('ends only the largest browser, and none while starts are merely refused', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 8 * 1024 }), { maxLength: 40 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 0, max: 24 * 1024 }), (memory, available) => {
        const { full, end } = judge(reserve, using(...memory.map((size) => size * MiB)), available * MiB);
        if (end) expect([full, end.memoryBytes]).to.deep.equal([true, Math.max(...memory) * MiB]);
      }),
    );
  });
});

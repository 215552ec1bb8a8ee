import { expect } from 'chai';
import { planFaults } from './faults/plan.ts';
import { faults } from './faults/table.ts';
import { actions, actors } from './workload/actors.ts';
import { stepsOf } from './workload/plan.ts';

describe('a seed', () => {
  const scheduled = (seed: number, queue: 'redis' | 'postgres' = 'postgres') =>
    planFaults(seed, 600_000, queue, faults).map(({ fault, at, lastsMs }) => [fault.name, at, lastsMs]);
  const firstSteps = (seed: number) =>
    actors.map((actor) => {
      const steps = stepsOf(seed, actor, 0);
      return Array.from({ length: 100 }, () => {
        const { action, thinkMs, random } = steps.next().value;
        return [action, thinkMs, random.next()];
      });
    });

  it('determines which faults happen when, and for how long', () => {
    expect(scheduled(7)).to.deep.equal(scheduled(7));
    expect(scheduled(7)).to.not.deep.equal(scheduled(8));
  });

  it('determines what every client does, in which order', () => {
    expect(firstSteps(7)).to.deep.equal(firstSteps(7));
    expect(firstSteps(7)).to.not.deep.equal(firstSteps(8));
  });

  it('plans slow actions for a long run only', () => {
    const slowest = (runMs: number) =>
      Math.max(
        ...[1, 2, 3].flatMap((seed) => planFaults(seed, runMs, 'redis', faults).map((each) => each.lastsMs)),
      );
    expect(slowest(120_000)).to.be.below(20_000);
    expect(slowest(600_000)).to.equal(60_000);
  });

  it('plans every fault and every action sooner or later, and none of another queue', () => {
    const names = new Set([1, 2, 3, 4, 5, 6].flatMap((seed) => scheduled(seed).map(([name]) => name)));
    const possible = faults.filter(({ queue }) => queue !== 'redis').map(({ name }) => name);
    expect([...names]).to.have.members(possible);
    const done = new Set(
      [1, 2, 3].flatMap((seed) => firstSteps(seed).flatMap((steps) => steps.map(([action]) => action))),
    );
    expect([...done]).to.have.members(Object.keys(actions));
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { hourMs } from '../../contracts/durations.ts';
import { nodeFor, policies, type Policy } from './control-plane/placement.ts';
import { whatIf, type Arrival, type SupposedFleet } from './what-if.ts';

const fleet = (capacities: readonly number[], more: Partial<SupposedFleet> = {}): SupposedFleet => ({
  ...{ capacities, policy: 'least-loaded', losses: [] },
  ...more,
});
const stays = (...spans: readonly (readonly [at: number, until: number])[]): Arrival[] =>
  spans.map(([at, until]) => ({ at, until }));
const window = { from: 0, to: hourMs };
const summary = (arrivals: readonly Arrival[], supposed: SupposedFleet, of = window) => {
  const { occupancy: _, ...rest } = whatIf(arrivals, supposed, of);
  return rest;
};

describe('the simulation of another fleet', () => {
  it('refuses a session while every node is full', () => {
    const arrivals = stays([0, 100], [10, 50], [20, 30], [50, 60]);
    expect(summary(arrivals, fleet([2]))).to.deep.equal({ sessions: 4, refused: { full: 1 }, lost: 0 });
    expect(summary(arrivals, fleet([2, 1]))).to.deep.equal({ sessions: 4, refused: {}, lost: 0 });
  });

  it('reports for each hour the maximal number of concurrent sessions, and the slots at its start', () => {
    const arrivals = stays([0, hourMs], [10, 20], [2 * hourMs - 1, 3 * hourMs], [3 * hourMs, 3 * hourMs + 1]);
    const losses = [{ nodes: 1, at: hourMs + 5 }];
    const { occupancy } = whatIf(arrivals, fleet([2, 2], { losses }), { from: 0, to: 3 * hourMs + 30 });
    expect(occupancy).to.deep.equal([
      { hour: 0, used: 2, slots: 4 },
      { hour: hourMs, used: 1, slots: 4 },
      { hour: 2 * hourMs, used: 1, slots: 2 },
      { hour: 3 * hourMs, used: 1, slots: 2 },
    ]);
  });

  it('starts with the sessions that run at its beginning, in the order of their requests, and ignores those outside', () => {
    const arrivals = stays([-20, 40], [-30, 10], [-40, 0], [5, 6], [hourMs, hourMs + 1]);
    expect(summary(arrivals, fleet([1]))).to.deep.equal({ sessions: 3, refused: { full: 2 }, lost: 0 });
    const { occupancy } = whatIf(stays([-20, 2 * hourMs]), fleet([1]), { from: hourMs + 5, to: hourMs + 6 });
    expect(occupancy).to.deep.equal([{ hour: hourMs, used: 1, slots: 1 }]);
  });

  it('loses the nodes with the most sessions, and refuses all sessions once none is left', () => {
    const losses = [
      { nodes: 1, at: 50 },
      { nodes: 1, at: 60 },
    ];
    const arrivals = stays([0, 100], [1, 100], [2, 100], [70, 80]);
    const supposed = fleet([1, 2], { losses });
    expect(summary(arrivals, supposed)).to.deep.equal({ sessions: 4, refused: { no_nodes: 1 }, lost: 3 });
    const once = fleet([1, 2], { losses: losses.slice(0, 1) });
    expect(summary(arrivals, once)).to.deep.equal({ sessions: 4, refused: { full: 1 }, lost: 2 });
  });

  it('places by the policy: pack prefers the node with the least room left', () => {
    const arrivals = stays([0, 100], [1, 100], [2, 100]);
    const losses = [{ nodes: 1, at: 50 }];
    const lostBy = (policy: Policy) => summary(arrivals, fleet([3, 3], { policy, losses })).lost;
    expect([lostBy('pack'), lostBy('least-loaded')]).to.deep.equal([3, 2]);
    expect(
      nodeFor(
        [
          { capacity: 8, used: 1 },
          { capacity: 2, used: 0 },
        ],
        'pack',
      )?.capacity,
    ).to.equal(2);
  });

  it('counts a session that ended when it began, and frees its room', () => {
    const arrivals = stays([5, 5], [6, 6]);
    expect(summary(arrivals, fleet([1]))).to.deep.equal({ sessions: 2, refused: {}, lost: 0 });
  });

  /** The result of a fleet that does not know when sessions end: each is placed when it arrives, and removed when it ends. */
  const lived = (arrivals: readonly Arrival[], { capacities, policy }: SupposedFleet) => {
    const nodes = capacities.map((capacity) => ({ capacity, used: 0 }));
    const running: { until: number; node: (typeof nodes)[number] }[] = [];
    return arrivals.map(({ at, until }) => {
      for (const each of running.splice(0)) {
        if (each.until <= at) each.node.used -= 1;
        else running.push(each);
      }
      const node = nodeFor(nodes, policy);
      if (node !== undefined) {
        node.used += 1;
        running.push({ until, node });
      }
      return node !== undefined;
    });
  };

  it('accepts and refuses the same sessions as the real fleet, if it is the same', () => {
    const span = fc.record({ at: fc.integer({ min: 0, max: 500 }), for: fc.integer({ min: 1, max: 200 }) });
    const capacities = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(span), capacities, fc.constantFrom(...policies), (spans, nodes, policy) => {
        const arrivals = spans
          .map(({ at, for: length }) => ({ at, until: at + length }))
          .sort((one, other) => one.at - other.at);
        const there = fleet(nodes, { policy });
        const accepted = lived(arrivals, there);
        const known = arrivals.filter((_, index) => accepted[index]);
        expect(summary(known, there)).to.deep.equal({ sessions: known.length, refused: {}, lost: 0 });
        const refused = arrivals.length - known.length;
        // The duration of a refused session is unknown, so it changes nothing.
        const guessed = arrivals.map((each, index) =>
          accepted[index] ? each : { ...each, until: each.at + 1000 },
        );
        expect(summary(guessed, there).refused).to.deep.equal(refused === 0 ? {} : { full: refused });
      }),
    );
  });

  it('never uses more slots than it has, and counts each session once', () => {
    const span = fc.tuple(fc.integer({ min: -hourMs, max: 3 * hourMs }), fc.integer({ min: 0, max: hourMs }));
    const loss = fc.record({ nodes: fc.constant(1), at: fc.integer({ min: 0, max: 3 * hourMs - 1 }) });
    fc.assert(
      fc.property(fc.array(span), fc.array(loss, { maxLength: 3 }), (spans, losses) => {
        const arrivals = stays(...spans.map(([at, length]) => [at, at + length] as const));
        const all = whatIf(arrivals, fleet([1, 2, 3], { losses }), { from: 0, to: 3 * hourMs });
        expect(all.occupancy.every(({ used, slots }) => used <= slots)).to.equal(true);
        const refused = Object.values(all.refused).reduce((sum, count) => sum + count, 0);
        expect(refused + all.lost).to.be.at.most(all.sessions);
        expect(whatIf(arrivals, fleet([1, 2, 3], { losses }), { from: 0, to: 3 * hourMs })).to.deep.equal(
          all,
        );
      }),
    );
  });
});

import { expect } from 'chai';
import { EndpointLimiter } from './endpoint-limiter.ts';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `attempt-${index}`);

describe('the slots of an endpoint', () => {
  /** One that has answered. */
  const trusted = (slots = 10): EndpointLimiter => {
    const lane = new EndpointLimiter(slots);
    lane.begin('first', 0);
    lane.end('first', true, 10);
    return lane;
  };
  const begun = (lane: EndpointLimiter, count: number, now: number) =>
    ids(count).filter((id) => lane.begin(id, now)).length;

  it('are two until it has answered, ten from then on, and two again with the first failure', () => {
    expect(begun(new EndpointLimiter(10), 30, 0)).to.equal(2);
    const lane = trusted();
    expect(begun(lane, 30, 20)).to.equal(10);
    lane.end('attempt-0', false, 30);
    expect(lane.begin('late', 30)).to.equal(false);
    for (const id of ids(10).slice(1, 9)) lane.end(id, false, 40);
    expect(lane.begin('late', 40)).to.equal(true);
    expect(lane.begin('later', 40)).to.equal(false);
  });

  it('are two while it does not answer, however well it did before', () => {
    const lane = trusted();
    expect(begun(lane, 1, 20)).to.equal(1);
    expect(lane.begin('second', 900)).to.equal(true);
    expect(lane.begin('third', 1500)).to.equal(false);
    expect(lane.hold('third', 1500, () => undefined)).to.equal(false);
  });

  it('go to those held here first, in the order they came', () => {
    const lane = trusted(2);
    const order: string[] = [];
    for (const id of ids(4)) if (!lane.begin(id, 20)) lane.hold(id, 20, () => order.push(id));
    lane.end('attempt-1', true, 21);
    lane.end('attempt-0', true, 22);
    expect(order).to.deep.equal(['attempt-2', 'attempt-3']);
    expect(lane.release('attempt-2')).to.equal(false);
  });

  it('go to those in line in the order they came, and to nobody who comes later', () => {
    const lane = trusted(1);
    lane.begin('running', 20);
    for (const id of ids(5)) lane.queueUp(id);
    lane.end('running', true, 30);
    expect(lane.next(30)).to.deep.equal(['attempt-0', 'attempt-1']);
    expect(lane.next(30)).to.deep.equal([]);
    expect(lane.begin('newcomer', 31)).to.equal(false);
    expect(lane.begin('attempt-0', 31)).to.equal(true);
  });

  it('are not kept for long for who was called and does not come', () => {
    const lane = trusted(1);
    for (const id of ids(3)) lane.queueUp(id);
    expect(lane.next(30)).to.have.length(2);
    expect(lane.begin('newcomer', 31)).to.equal(false);
    expect(lane.begin('newcomer', 600)).to.equal(true);
    lane.end('newcomer', true, 601);
    expect(lane.next(601)).to.deep.equal(['attempt-2']);
  });

  it('tell how long the line takes by what is usual', () => {
    const lane = trusted(2);
    const waits = ids(100).map((id) => lane.queueUp(id));
    expect(waits[9]).to.be.below(waits[99] ?? 0);
    expect(waits[99]).to.be.within(400, 600);
  });
});

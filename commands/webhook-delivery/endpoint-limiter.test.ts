import { expect } from 'chai';
import { EndpointLimiter } from './endpoint-limiter.ts';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `attempt-${index}`);

describe('the slots of an endpoint', () => {
  /** A limiter whose endpoint has answered. */
  const trusted = (slots = 10): EndpointLimiter => {
    const limiter = new EndpointLimiter(slots);
    limiter.begin('first', 0);
    limiter.end('first', true, 10);
    return limiter;
  };
  const begun = (limiter: EndpointLimiter, count: number, now: number) =>
    ids(count).filter((id) => limiter.begin(id, now)).length;

  it('are two until it has answered, ten from then on, and two again with the first failure', () => {
    expect(begun(new EndpointLimiter(10), 30, 0)).to.equal(2);
    const limiter = trusted();
    expect(begun(limiter, 30, 20)).to.equal(10);
    limiter.end('attempt-0', false, 30);
    expect(limiter.begin('late', 30)).to.equal(false);
    for (const id of ids(10).slice(1, 9)) limiter.end(id, false, 40);
    expect(limiter.begin('late', 40)).to.equal(true);
    expect(limiter.begin('later', 40)).to.equal(false);
  });

  it('are two while it does not answer, however well it did before', () => {
    const limiter = trusted();
    expect(begun(limiter, 1, 20)).to.equal(1);
    expect(limiter.begin('second', 900)).to.equal(true);
    expect(limiter.begin('third', 1500)).to.equal(false);
    expect(limiter.hold('third', 1500, () => undefined)).to.equal(false);
  });

  it('go to attempts held in this process first, in order', () => {
    const limiter = trusted(2);
    const order: string[] = [];
    for (const id of ids(4)) if (!limiter.begin(id, 20)) limiter.hold(id, 20, () => order.push(id));
    limiter.end('attempt-1', true, 21);
    limiter.end('attempt-0', true, 22);
    expect(order).to.deep.equal(['attempt-2', 'attempt-3']);
    expect(limiter.release('attempt-2')).to.equal(false);
  });

  it('go to waiters in the order of their arrival, not to later callers', () => {
    const limiter = trusted(1);
    limiter.begin('running', 20);
    for (const id of ids(5)) limiter.queueUp(id);
    limiter.end('running', true, 30);
    expect(limiter.next(30)).to.deep.equal(['attempt-0', 'attempt-1']);
    expect(limiter.next(30)).to.deep.equal([]);
    expect(limiter.begin('newcomer', 31)).to.equal(false);
    expect(limiter.begin('attempt-0', 31)).to.equal(true);
  });

  it('are held only for a short time for a called delivery that does not come', () => {
    const limiter = trusted(1);
    for (const id of ids(3)) limiter.queueUp(id);
    expect(limiter.next(30)).to.have.length(2);
    expect(limiter.begin('newcomer', 31)).to.equal(false);
    expect(limiter.begin('newcomer', 600)).to.equal(true);
    limiter.end('newcomer', true, 601);
    expect(limiter.next(601)).to.deep.equal(['attempt-2']);
  });

  it('estimate how long the queue takes by the usual duration', () => {
    const limiter = trusted(2);
    const waits = ids(100).map((id) => limiter.queueUp(id));
    expect(waits[9]).to.be.below(waits[99] ?? 0);
    expect(waits[99]).to.be.within(400, 600);
  });
});

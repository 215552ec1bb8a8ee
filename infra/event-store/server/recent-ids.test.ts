import { expect } from 'chai';
import { RecentIds } from './recent-ids.ts';

describe('the ids of events written lately', () => {
  it('are found with the stream they were written to, and with no other', () => {
    const recent = new RecentIds(10);
    recent.add('a', 's-1', 4);
    expect(recent.find('a', 's-1')).to.equal(4);
    expect(recent.find('a', 's-2')).to.equal(undefined);
  });

  it('are forgotten when there are too many, the oldest first', () => {
    const recent = new RecentIds(10);
    for (let n = 0; n < 1000; n++) recent.add(`id-${n}`, 's-1', n);
    const remembered = Array.from({ length: 1000 }, (_, n) => n).filter(
      (n) => recent.find(`id-${n}`, 's-1') === n,
    );
    expect(remembered.length).to.be.within(5, 10);
    expect(remembered.at(0)).to.equal(1000 - remembered.length);
  });
});

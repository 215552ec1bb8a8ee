import { expect } from 'chai';
import { Refusal } from '../../contracts/problems.ts';
import { until } from '../verification/testbed/index.ts';
import { Shares } from './shares.ts';

describe('the shares of addresses in an upstream', () => {
  it('are for each address, and for each IPv6 network, and refuse those for whom too many wait', async () => {
    const shares = new Shares({ atOnce: 2, mostWaiting: 1 });
    const ends: (() => void)[] = [];
    const begin = (address: string) =>
      shares.within(address, () => new Promise<string>((resolve) => ends.push(() => resolve(address))));
    const refusal = (address: string) =>
      begin(address).then(
        () => 'done',
        (error: unknown) => (error instanceof Refusal ? error.slug : error),
      );
    const works = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '203.0.113.1'].map(begin);
    await until(() => ends.length === 3);
    expect(await refusal('2001:db8::4')).to.equal('rate-limited');
    for (let left = works.length; left > 0; left -= 1) {
      await until(() => ends.length > 0);
      ends.shift()?.();
    }
    expect(await Promise.all(works)).to.have.length(4);
    const next = begin('2001:db8::4');
    await until(() => ends.length > 0);
    ends.shift()?.();
    expect(await next).to.equal('2001:db8::4');
  });
});

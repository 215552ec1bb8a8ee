import { expect } from 'chai';
import { bucketSizes, buckets } from './rate-buckets.ts';
import { highestOf, tierLimits, tiers, type Tier } from './tiers.ts';

/** Every limit of a tier as a number, larger for a more generous one. */
function limitsOf(tier: Tier): Record<string, number> {
  const { storage, agents, sessionsExpire, ...counts } = tierLimits[tier];
  const rates = buckets.flatMap((bucket) => {
    const { burst, perMinute } = bucketSizes[tier][bucket];
    return [
      [`${bucket} burst`, burst],
      [`${bucket} per minute`, perMinute],
    ];
  });
  return {
    ...counts,
    ...(Object.fromEntries(rates) as Record<string, number>),
    ...{ bytes: storage.bytes, soft: Number(storage.soft ?? false) },
    ...{ agents: Number(agents), unlimited: Number(!sessionsExpire) },
  };
}

describe('the highest of several tiers', () => {
  it('has no limit that is stricter than that of another', () => {
    for (const one of tiers)
      for (const other of tiers) {
        const highest = limitsOf(highestOf([one, other]));
        for (const [name, limit] of Object.entries(limitsOf(one)))
          expect(highest[name], `${name} of ${one} and ${other}`).to.be.at.least(limit);
      }
  });

  it('is the same in any order, and free if there is none', () => {
    for (const one of tiers)
      for (const other of tiers) expect(highestOf([one, other])).to.equal(highestOf([other, one]));
    expect(highestOf(['api_builder', 'agency'])).to.equal('agency');
    expect(highestOf(['personal', 'free'])).to.equal('personal');
    expect(highestOf([])).to.equal('free');
  });
});

import { expect } from 'chai';
import { Refusal } from '../../contracts/problems.ts';
import { tierLimits, type Tier } from '../../contracts/tiers.ts';
import { assertImportFits } from './storage.ts';

describe('an import', () => {
  const refusalOf = (tier: Tier, storedBytes: number, bytes: number): Refusal | undefined => {
    try {
      assertImportFits({ tier, storedBytes, bytes });
      return undefined;
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  };

  it('is accepted up to twice the cap of the tier, the trash included, and refused above it', () => {
    const twice = 2 * tierLimits.free.storage.bytes;
    expect(refusalOf('free', twice - 10, 10)).to.equal(undefined);
    const refusal = refusalOf('free', twice - 10, 11);
    expect(refusal?.slug).to.equal('storage-quota-exceeded');
    expect(refusal?.message).to.contain('Purge profiles in the trash');
    expect(refusal?.extensions).to.deep.equal({ used_bytes: twice - 10, cap_bytes: twice, tier: 'free' });
  });

  it('is never refused where the cap is soft', () => {
    expect(refusalOf('enterprise', 3 * tierLimits.enterprise.storage.bytes, 10)).to.equal(undefined);
  });
});

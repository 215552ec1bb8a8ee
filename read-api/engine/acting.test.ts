import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { toId } from '../../contracts/ids.ts';
import { anAccount } from '../../projections/testing/index.ts';
import { gate } from '../../infra/verification/testbed/index.ts';
import { createActFor } from './acting.ts';
import type { FreshReads } from './fresh-reads.ts';

describe('the membership of a caller', () => {
  it('is looked up again for a request that began after the look-up that found none', async () => {
    const first = gate();
    const member = { id: toId('membership', randomUUID()), role: 'admin', tier: 'team', suspended_at: null };
    let looks = 0;
    const read = async () => {
      looks += 1;
      if (looks > 1) return { rows: [member], stale: false };
      await first.pass();
      return { rows: [], stale: false };
    };
    const actFor = createActFor({ read } as unknown as FreshReads, 1000);
    const [owner, accountId] = [anAccount(), anAccount()];
    const caller = { accountId, actorId: accountId } as Parameters<typeof actFor>[0];
    const act = () => actFor(caller, owner, 'admin', { header: () => undefined });
    const [before, after] = [act(), act()];
    first.open();
    expect(await before).to.equal(undefined);
    expect((await after)?.role).to.equal('admin');
    expect((await act())?.role).to.equal('admin');
    expect(looks).to.equal(2);
  });
});

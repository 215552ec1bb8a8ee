import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { toId } from '../../contracts/ids.ts';
import { accountProfiles } from '../../domain/profile/quota.ts';
import { newContext, quiet, slugOf, TestClock, useStore } from '../session/testing.ts';
import { quotaStreamOf, reserve, type ReservedResource, type Reservations } from './reservations.ts';
import { createRunner } from './runner.ts';

describe('a full quota of more than a hundred', () => {
  const stored = useStore();
  const limit = 101;

  /** A full quota. Its resources are in a map; `checks`: how often one was looked up. */
  const opened = async () => {
    const clock = new TestClock();
    const runner = createRunner({ store: stored.store, logger: quiet, cacheEntries: 10 });
    const accountId = toId('account', uuidv7());
    const resources = new Map<string, ReservedResource>();
    let checks = 0;
    const of: Reservations = {
      clock,
      quota: quotaStreamOf(runner, accountProfiles),
      resourceOf: async (id) => {
        checks += 1;
        return resources.get(id) ?? { kind: 'not created' };
      },
      withdraw: async (id) => resources.set(id, { kind: 'ended' }),
    };
    const take = async (name: string) => {
      const id = toId('profile', uuidv7());
      await reserve(of, { accountId, id, name, limit }, newContext(accountId));
      return id;
    };
    for (let n = 0; n < limit; n += 1) {
      const name = `profile ${n}`;
      resources.set(await take(name), { kind: 'present', name });
    }
    return { clock, resources, checks: () => checks, take };
  };

  it('looks its resources up once for many refused creates', async () => {
    const { take, checks } = await opened();
    const tries = () => Promise.all(Array.from({ length: 5 }, () => slugOf(take('one more'))));
    expect([...(await tries()), ...(await tries())]).to.deep.equal(Array(10).fill('tier-limit'));
    expect(checks()).to.equal(limit);
  });

  it('gives the share of a resource that has ended without a release, some seconds later', async () => {
    const { clock, resources, take } = await opened();
    expect(await slugOf(take('one more'))).to.equal('tier-limit');
    const [one = ''] = resources.keys();
    resources.set(one, { kind: 'ended' });
    clock.advance(5_000);
    await take('one more');
    expect(await slugOf(take('another'))).to.equal('tier-limit');
  });
});

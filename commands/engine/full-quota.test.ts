import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { toId } from '../../contracts/ids.ts';
import { accountProfiles } from '../../domain/profile/quota.ts';
import { newContext, quiet, slugOf, TestClock, useStore } from '../session/testing.ts';
import { quotaStreamOf, reserve, type ReservedResource, type Reservations } from './reservations.ts';
import { createRunner } from './runner.ts';

describe('a full quota', () => {
  const stored = useStore();

  /** A quota of two. Its resources are in a map; `checks`: how often one was looked up. */
  const opened = () => {
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
      await reserve(of, { accountId, id, name, limit: 2 }, newContext(accountId));
      return id;
    };
    const create = async (name: string) => {
      const id = await take(name);
      resources.set(id, { kind: 'present', name });
      return id;
    };
    return { clock, resources, checks: () => checks, take, create };
  };

  it('looks its resources up once for many refused creates', async () => {
    const { take, create, checks } = opened();
    await create('one');
    await create('two');
    const tries = () => Promise.all(Array.from({ length: 5 }, () => slugOf(take('three'))));
    expect([...(await tries()), ...(await tries())]).to.deep.equal(Array(10).fill('tier-limit'));
    expect(checks()).to.equal(2);
  });

  it('gives the share of a resource that has ended without a release, some seconds later', async () => {
    const { clock, resources, take, create } = opened();
    const one = await create('one');
    await create('two');
    expect(await slugOf(take('three'))).to.equal('tier-limit');
    resources.set(one, { kind: 'ended' });
    clock.advance(5_000);
    await take('three');
    expect(await slugOf(take('four'))).to.equal('tier-limit');
  });
});

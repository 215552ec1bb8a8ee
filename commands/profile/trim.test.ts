import { expect } from 'chai';
import { Refusal } from '../../contracts/problems.ts';
import { ConcurrencyLimiter } from '../../infra/platform/concurrency-limiter.ts';
import { createProfileStates } from '../../infra/profile-states/index.ts';
import { packed } from '../../infra/profile-states/testing/archives.ts';
import { again, nodeId, quiet, useStore } from '../session/testing.ts';
import { census, ProfileWorld } from './testing.ts';
import { trimProfile } from './trim.ts';

describe('a trim', () => {
  const stored = useStore();

  it('whose rest is larger than a state may be is refused, and the state stays', async () => {
    const w = await ProfileWorld.open(stored.store);
    const outcome = await w.profiles.saves.save(nodeId, await w.ended(), census(0), packed({}));
    expect(outcome).to.equal('saved');
    const before = await w.present();
    const { blobs, vault } = w.profiles;
    const states = createProfileStates({ blobs, vault, mostBytes: 100 });
    const trims = new ConcurrencyLimiter({ total: 1, perKey: 1 });
    const ports = { runner: w.world.runner, clock: w.world.clock, states, trims, logger: quiet };
    const refusal: unknown = await trimProfile(ports, before, {}, again(w.caller).context).catch(
      (error: unknown) => error,
    );
    expect(refusal).to.be.instanceOf(Refusal).and.include({ slug: 'conflict' });
    expect((refusal as Refusal).message).to.contain('Keep fewer parts');
    expect(await w.present()).to.deep.equal(before);
  });
});

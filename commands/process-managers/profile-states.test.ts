import { expect } from 'chai';
import { uuidOf, type SessionId } from '../../contracts/ids.ts';
import { profile } from '../../domain/profile/profile.ts';
import { now } from '../engine/context.ts';
import { blobSweep, profileStatesManager } from './index.ts';
import { newContext, newSessionId, nodeId, quiet, testLimits, useStore } from '../session/testing.ts';
import { sweepBlobs } from '../profile/sweep.ts';
import { ProfileWorld, archive } from '../profile/testing.ts';
import { never } from './engine/testing.ts';

describe('the effects of saves, trash and purges of profiles', () => {
  const stored = useStore();
  let w: ProfileWorld;
  beforeEach(async () => {
    w = await ProfileWorld.open(stored.store);
  });
  const react = async () => {
    const { runner, sessions } = w.world;
    const manager = profileStatesManager({ runner, sessions, states: w.profiles.states });
    for (const event of await w.events()) await manager.handle(event);
  };

  describe('states that could not be saved', () => {
    const report = (id: SessionId, reportId = 'r1') =>
      w.world.sessions.takeReport(nodeId, {
        ...{ kind: 'profile_save_failed', report_id: reportId, session_id: id, profile_id: w.profileId },
        ...{ reason: 'degenerate_dump', detail: 'There was nothing in it.', at: now(w.world) },
      } as const);

    it('are reported by the node, and free the profile with its previous state', async () => {
      await w.saved('the first');
      const id = await w.ended();
      await report(id);
      const { state, saveFailure, use } = await w.present();
      expect([state?.generation, saveFailure?.reason, use.kind]).to.deep.equal([
        1,
        'degenerate_dump',
        'free',
      ]);
    });

    it('are one event of their session, however often the node or the reaction repeats the report', async () => {
      const id = await w.ended();
      await report(id);
      await report(id);
      await report(id, 'r2');
      await react();
      await react();
      const types = await w.world.eventsOf('session', id);
      expect(types.slice(-2)).to.deep.equal(['SessionDestroyed', 'ProfileSaveFailed']);
    });

    it('are an event of their session too, if reported in time', async () => {
      const id = await w.ended();
      w.world.clock.advance(testLimits.saveLeaseMs);
      await w.fire('profile_save_lease');
      await react();
      expect((await w.world.eventsOf('session', id)).at(-1)).to.equal('ProfileSaveFailed');
    });
  });

  describe('states that are no longer needed', () => {
    it('are deleted once a newer one is recorded', async () => {
      await w.saved('the first');
      await w.saved('the second');
      expect(w.blobs()).to.have.length(2);
      await react();
      expect(w.blobs()).to.deep.equal([(await w.present()).state?.blob]);
    });

    it('are deleted when the profile is purged', async () => {
      await w.saved('a state');
      const run = (type: 'TrashProfile' | 'PurgeProfile') => {
        const at = now(w.world);
        const command =
          type === 'TrashProfile'
            ? ({ type, purgeAt: at, at } as const)
            : ({ type, cause: 'customer', at } as const);
        return w.world.runner.run(profile, uuidOf(w.profileId), command, newContext(w.caller.accountId));
      };
      await run('TrashProfile');
      await run('PurgeProfile');
      await react();
      expect(w.blobs()).to.deep.equal([]);
    });

    it('are swept after a day when no profile names them; others stay', async () => {
      await w.saved('a state');
      const uuid = uuidOf(w.profileId);
      await w.profiles.blobs.put(`${uuid}/9-lost`, archive('left by a killed process'));
      await w.profiles.blobs.put(`${uuidOf(newSessionId())}/1-lost`, archive('of no profile'));
      await w.profiles.blobs.put('notes.txt', archive('another user’s'));
      const ports = { blobs: w.profiles.blobs, runner: w.world.runner, clock: w.world.clock, logger: quiet };
      expect(await sweepBlobs(ports)).to.deep.equal({ kept: 4, deleted: [] });
      w.world.clock.advance(24 * 3_600_000);
      const { kept, deleted } = await sweepBlobs(ports, { dryRun: true });
      expect([kept, deleted.length, w.blobs().length]).to.deep.equal([2, 2, 4]);
      await blobSweep(ports).run(never);
      expect(w.blobs()).to.have.members([(await w.present()).state?.blob, 'notes.txt']);
    });
  });

  describe('profiles in the trash', () => {
    it('are purged by the timer after the retention time', async () => {
      const at = now(w.world);
      const purgeAt = new Date(w.world.clock.now().getTime() + 1000).toISOString();
      const trash = { type: 'TrashProfile', purgeAt, at } as const;
      await w.world.runner.run(profile, uuidOf(w.profileId), trash, newContext(w.caller.accountId));
      await w.fire('profile_purge');
      expect(await w.world.eventsOf('profile', w.profileId)).to.not.include('ProfilePurged');
      w.world.clock.advance(1000);
      await w.fire('profile_purge');
      const purged = (await w.events()).at(-1);
      expect(purged?.type).to.equal('ProfilePurged');
      expect(purged?.metadata.actor).to.deep.equal({ kind: 'system', account_id: w.caller.accountId });
    });
  });
});

import { expect } from 'chai';
import { uuidOf, type SessionId } from '../../contracts/ids.ts';
import { storageWarning, type EgressCapabilities } from '../../contracts/operations.ts';
import { Refusal } from '../../contracts/problems.ts';
import { tierLimits, type Tier } from '../../contracts/tiers.ts';
import { accountSlots } from '../../domain/account-slots.ts';
import { profile } from '../../domain/profile/profile.ts';
import { session } from '../../domain/session/session.ts';
import { now } from '../engine/context.ts';
import { ProfileWorld } from '../profile/testing.ts';
import {
  again,
  dyingRunner,
  newCaller,
  newContext,
  newSessionId,
  nodeId,
  slugOf,
  useStore,
} from './testing.ts';

describe('a session with a profile', () => {
  const stored = useStore();
  let w: ProfileWorld;
  beforeEach(async () => {
    w = await ProfileWorld.open(stored.store);
  });

  async function refusalOf(request: Promise<unknown>): Promise<Refusal> {
    const error: unknown = await request.catch((failure: unknown) => failure);
    if (error instanceof Refusal) return error;
    throw new Error(`The request was not refused: ${String(error)}`);
  }

  describe('killed', () => {
    /** A session with a recorded end, and no clean-up. */
    async function endedWithoutCleanUp(): Promise<SessionId> {
      const id = await w.launch();
      const command = { type: 'DestroySession', cause: 'customer', at: now(w.world) } as const;
      await w.world.runner.run(session, uuidOf(id), command, newContext(w.caller.accountId));
      return id;
    }

    it('before its clean-up is cleaned up by the next launch, which waits for its save', async () => {
      const id = await endedWithoutCleanUp();
      const waiting = w.world.with({
        pause: async () => {
          await w.save(id);
        },
      });
      await w.launch(newSessionId(), {}, waiting);
      expect(await w.history()).to.deep.equal([
        'ProfileBound',
        'StateSaveStarted',
        'StateSaved',
        'ProfileBound',
      ]);
      expect(w.world.fleet.destroyed).to.deep.equal([id]);
    });

    it('between releasing the profile and freeing the slot does not stop the next launch', async () => {
      const id = await endedWithoutCleanUp();
      expect(await w.save(id)).to.equal('saved');
      await w.launch();
      const { state } = await w.world.runner.load(accountSlots, uuidOf(w.caller.accountId));
      expect(state.slots.map(({ sessionId }) => sessionId)).to.not.include(id);
    });

    it('after the slot was reserved leaves the profile free when the lease of the slot runs out', async () => {
      const id = newSessionId();
      const dying = w.world.with({ runner: dyingRunner(w.world.runner, 1) });
      await w.launch(id, {}, dying).catch(() => undefined);
      expect(await slugOf(w.launch())).to.equal('profile-in-use');
      w.world.clock.advance(60_000);
      await w.world.sessions.releaseOrphanedSlot(w.caller.accountId, id, newContext(null));
      await w.launch();
    });

    it('after the profile was bound leaves it free when the lease of the slot runs out', async () => {
      const id = newSessionId();
      await bindAlone(id, true);
      expect(await slugOf(w.launch())).to.equal('profile-in-use');
      w.world.clock.advance(60_000);
      await w.world.sessions.releaseOrphanedSlot(w.caller.accountId, id, newContext(null));
      expect((await w.present()).use.kind).to.equal('free');
      await w.launch();
    });

    it('after it bound the profile without a slot does not keep it', async () => {
      await bindAlone(newSessionId(), false);
      await w.launch();
    });

    async function bindAlone(sessionId: SessionId, withSlot: boolean): Promise<void> {
      const { accountId, context } = w.caller;
      const at = now(w.world);
      const leaseExpiresAt = new Date(w.world.clock.now().getTime() + 60_000).toISOString();
      const slot = {
        type: 'ReserveSlot',
        accountId,
        sessionId,
        profileId: w.profileId,
        limit: 3,
        leaseExpiresAt,
        at,
      } as const;
      if (withSlot) await w.world.runner.run(accountSlots, uuidOf(accountId), slot, context);
      const bind = { type: 'BindProfile', sessionId, at } as const;
      await w.world.runner.run(profile, uuidOf(w.profileId), bind, newContext(accountId));
    }

    it('after it was requested is errored when its lease ends, and releases the profile', async () => {
      const id = newSessionId();
      w.world.fleet.onCreate = () => Promise.reject(new Error('killed'));
      await w.launch(id).catch(() => undefined);
      w.world.clock.advance(90_000);
      await w.world.sessions.expireCreationLease(id, newContext(null));
      expect(await w.history()).to.deep.equal(['ProfileBound', 'ProfileReleased']);
    });

    it('and withdrawn by a retry with its key releases the profile', async () => {
      const id = newSessionId();
      await bindAlone(id, true);
      await w.world.sessions.withdraw(again(w.caller), id);
      expect((await w.present()).use.kind).to.equal('free');
    });
  });

  it('that is withdrawn while it waits for its profile holds neither a slot nor the profile', async () => {
    const saving = await w.ended();
    const id = newSessionId();
    const waiting = w.world.with({
      pause: async () => {
        await w.world.sessions.endOrWithdraw(again(w.caller), id, 'customer');
        await w.save(saving);
      },
    });
    expect(await slugOf(w.launch(id, {}, waiting))).to.equal('session-timeout');
    const { state } = await w.world.runner.load(accountSlots, uuidOf(w.caller.accountId));
    expect([state.slots, (await w.present()).use.kind]).to.deep.equal([[], 'free']);
    await w.launch();
  });

  describe('of an account with too many saved bytes', () => {
    const egress = { udp_associate: false, dns_remote_resolve: true, quic_route: 'none', warnings: [] };
    beforeEach(() => {
      w.world.fleet.onCreate = () => Promise.resolve({ outcome: 'succeeded', egress_capabilities: egress });
    });

    /** The session's network, as reported by its node. */
    async function launchWith(tier: Tier, bytes: number, reported?: EgressCapabilities) {
      const owner = newCaller(tier, 3);
      const id = await w.profiles.profileOf(owner, { bytes });
      await w.profiles.profileOf(owner, { name: 'another', bytes: 1 });
      const sessionId = newSessionId();
      await w.world.sessions.create(owner, sessionId, { profile_id: id });
      const of = { report_id: sessionId, session_id: sessionId, at: now(w.world) };
      const report = { kind: 'egress_capabilities', ...of } as const;
      if (reported) await w.world.sessions.takeReport(nodeId, { ...report, capabilities: reported });
      const { state } = await w.world.runner.load(session, uuidOf(sessionId));
      return state.status === 'none' ? undefined : state.egress;
    }

    it('is refused above the cap of its tier, with the used and the allowed bytes', async () => {
      const cap = tierLimits.team.storage.bytes;
      const { slug, extensions } = await refusalOf(launchWith('team', cap));
      expect(slug).to.equal('storage-quota-exceeded');
      expect(extensions).to.deep.equal({ used_bytes: cap + 1, cap_bytes: cap, tier: 'team' });
    });

    it('is created at the cap', async () => {
      expect(await launchWith('team', tierLimits.team.storage.bytes - 1)).to.deep.equal(egress);
    });

    it('is warned above a soft cap, and stays warned whatever its node reports', async () => {
      const cap = tierLimits.enterprise.storage.bytes;
      expect(await launchWith('enterprise', cap)).to.deep.equal({ ...egress, warnings: [storageWarning] });
      const reported = await launchWith('enterprise', cap, { ...egress, warnings: ['dead_proxy'] });
      expect(reported?.warnings).to.deep.equal(['dead_proxy', storageWarning]);
    });

    it('is created without a profile', async () => {
      const owner = newCaller('team', 3);
      await w.profiles.profileOf(owner, { bytes: tierLimits.team.storage.bytes + 1 });
      await w.world.sessions.create(owner, newSessionId(), {});
    });
  });
});

import { expect } from 'chai';
import { toId, uuidOf, type ProfileId, type SessionId } from '../../contracts/ids.ts';
import { storageWarning, type EgressCapabilities } from '../../contracts/operations.ts';
import { Refusal } from '../../contracts/problems.ts';
import { tierLimits, type Tier } from '../../contracts/tiers.ts';
import { accountSlots } from '../../domain/account-slots.ts';
import { profile } from '../../domain/profile/profile.ts';
import { session } from '../../domain/session/session.ts';
import { now, systemContext, type Caller } from '../engine/context.ts';
import { archive, census, withProfiles } from '../profile/testing.ts';
import {
  again,
  createWorld,
  newCaller,
  newContext,
  newSessionId,
  nodeId,
  slugOf,
  useStore,
  type World,
} from './testing.ts';

describe('a session with a profile', () => {
  const stored = useStore();
  let world: World;
  let profiles: ReturnType<typeof withProfiles>;
  let caller: Caller;
  let profileId: ProfileId;
  beforeEach(async () => {
    world = createWorld(stored.store);
    profiles = withProfiles(world);
    caller = newCaller('team', 3);
    profileId = await profiles.profileOf(caller);
  });

  const launch = (id = newSessionId(), body: object = {}) =>
    world.sessions.create(again(caller), id, { profile_id: profileId, ...body });
  async function live(): Promise<SessionId> {
    return (await launch()).session.id;
  }
  const destroy = async (id: SessionId) =>
    world.sessions.destroy(again(caller), await world.sessions.find(caller, id));
  const save = (id: SessionId, text = 'a state') => profiles.saves.save(nodeId, id, census(1), archive(text));
  const used = async () => {
    const { state } = await world.runner.load(profile, uuidOf(profileId));
    return state.status === 'active' ? state.use.kind : state.status;
  };
  const history = async () => (await world.eventsOf('profile', profileId)).slice(1);
  async function refusalOf(request: Promise<unknown>): Promise<Refusal> {
    const error: unknown = await request.then(
      () => undefined,
      (failure: unknown) => failure,
    );
    if (error instanceof Refusal) return error;
    throw error ?? new Error('The request was not refused.');
  }

  describe('is created', () => {
    it('with the archetype of the profile, which its metadata names', async () => {
      const { session: body } = await launch(newSessionId(), { metadata: { mine: 1 } });
      expect(body.profile_id).to.equal(profileId);
      expect(body.archetype).to.equal('iphone-15');
      expect(body.metadata).to.deep.equal({ mine: 1, profile_id: profileId, profile_name: 'shopper' });
      expect(await history()).to.deep.equal(['ProfileBound']);
    });

    it('by the bare uuid too', async () => {
      const { session: body } = await launch(newSessionId(), { profile_id: uuidOf(profileId) });
      expect(body.profile_id).to.equal(profileId);
    });

    it('on a node that is told of the profile, and of a state once there is one', async () => {
      const first = await live();
      expect(world.fleet.profiles.at(-1)).to.deep.include({ profile_id: profileId, has_state: false });
      await destroy(first);
      expect(await save(first)).to.equal('saved');
      await live();
      const [before, after] = world.fleet.profiles;
      expect(after?.has_state).to.equal(true);
      expect(after?.noise_seed).to.equal(before?.noise_seed);
    });

    it('for nobody else’s profile, nor one that is missing', async () => {
      const other = world.sessions.create(newCaller(), newSessionId(), { profile_id: profileId });
      expect(await slugOf(other)).to.equal('not-found');
      const missing = toId('profile', uuidOf(newSessionId()));
      expect(await slugOf(launch(newSessionId(), { profile_id: missing }))).to.equal('not-found');
      expect(await slugOf(launch(newSessionId(), { profile_id: 'shopper' }))).to.equal('not-found');
    });

    it('once at a time: the refusal names the session that has the profile', async () => {
      const id = await live();
      const { slug, extensions } = await refusalOf(launch());
      expect(slug).to.equal('profile-in-use');
      expect(extensions).to.deep.equal({ active_session_id: id });
    });

    it('by one of several launches at once', async () => {
      const outcomes = await Promise.allSettled([launch(), launch(), launch()]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
      expect(await history()).to.deep.equal(['ProfileBound']);
      const { state } = await world.runner.load(accountSlots, uuidOf(caller.accountId));
      expect(state.slots).to.have.length(1);
    });

    it('and gives the profile and the slot back when its browser does not start', async () => {
      const failure = { kind: 'driver', category: 'session_error', reason: 'It did not start.' } as const;
      world.fleet.onCreate = () => Promise.resolve({ outcome: 'failed', failure });
      expect(await slugOf(launch())).to.equal('driver-error');
      expect(await history()).to.deep.equal(['ProfileBound', 'ProfileReleased']);
    });

    it('not on a slot whose lease is about to end, and then lets go of the profile', async () => {
      world.fleet.onPlace = async () => {
        world.clock.advance(31_000);
        return nodeId;
      };
      expect(await slugOf(launch())).to.equal('driver-not-integrated');
      expect(await used()).to.equal('free');
    });
  });

  describe('that ends', () => {
    it('by a DELETE leaves the profile to be saved, and its slot free', async () => {
      const id = await live();
      await destroy(id);
      expect(await history()).to.deep.equal(['ProfileBound', 'StateSaveStarted']);
      const { state } = await world.runner.load(accountSlots, uuidOf(caller.accountId));
      expect(state.slots).to.deep.equal([]);
    });

    it('twice starts one save', async () => {
      const id = await live();
      await destroy(id);
      await destroy(id);
      await world.sessions.cleanUp(id, newContext(null));
      expect(await history()).to.deep.equal(['ProfileBound', 'StateSaveStarted']);
    });

    it('by an error saves nothing', async () => {
      const id = await live();
      await world.sessions.markNodeLost(id, nodeId, systemContext('lost'));
      expect(await history()).to.deep.equal(['ProfileBound', 'ProfileReleased']);
    });

    it('by an operation that loses the browser saves nothing', async () => {
      const id = await live();
      const failure = { kind: 'driver', category: 'session_error', reason: 'It is gone.' } as const;
      world.fleet.onOperate = () => Promise.resolve({ outcome: 'failed', failure });
      const operated = world.sessions.operate(
        again(caller),
        await world.sessions.find(caller, id),
        'navigate',
        {},
      );
      expect(await slugOf(operated)).to.equal('driver-error');
      expect(await history()).to.deep.equal(['ProfileBound', 'ProfileReleased']);
    });

    it('before it was ready saves nothing', async () => {
      const id = newSessionId();
      world.fleet.onCreate = async () => {
        await destroy(id);
        return { outcome: 'succeeded', egress_capabilities: null };
      };
      expect(await slugOf(launch(id))).to.equal('session-destroyed');
      expect(await history()).to.deep.equal(['ProfileBound', 'ProfileReleased']);
    });
  });

  describe('that waits for its profile', () => {
    it('starts once that is saved', async () => {
      const first = await live();
      await destroy(first);
      let looks = 0;
      const waiting = world.with({
        pause: async () => {
          looks += 1;
          if (looks === 3) await save(first);
        },
      });
      const { session: body } = await waiting.create(again(caller), newSessionId(), {
        profile_id: profileId,
      });
      expect(body.status).to.equal('ready');
      expect(looks).to.equal(3);
    });

    it('is refused after 30 seconds, by the name of the session that saves, and has held no slot', async () => {
      const first = await live();
      await destroy(first);
      const startedAt = world.clock.now().getTime();
      const { slug, extensions } = await refusalOf(launch());
      expect([slug, extensions.active_session_id]).to.deep.equal(['profile-in-use', first]);
      expect(world.clock.now().getTime() - startedAt).to.equal(30_000);
      const types = await world.eventsOf('account_slots', caller.accountId);
      expect(types.filter((type) => type === 'SlotReserved')).to.have.length(1);
    });

    it('does not wait for a save whose lease has run out', async () => {
      await destroy(await live());
      world.clock.advance(5 * 60_000);
      await live();
      expect(await history()).to.deep.equal([
        'ProfileBound',
        'StateSaveStarted',
        'StateSaveFailed',
        'ProfileBound',
      ]);
    });
  });

  describe('killed', () => {
    /** A session whose end was recorded, and nothing of its clean-up. */
    async function endedWithoutCleanUp(): Promise<SessionId> {
      const id = await live();
      const command = { type: 'DestroySession', cause: 'customer', at: now(world) } as const;
      await world.runner.run(session, uuidOf(id), command, newContext(caller.accountId));
      return id;
    }

    it('before its clean-up is cleaned up by the next launch, which waits for its save', async () => {
      const id = await endedWithoutCleanUp();
      const waiting = world.with({ pause: async () => void (await save(id)) });
      await waiting.create(again(caller), newSessionId(), { profile_id: profileId });
      expect(await history()).to.deep.equal([
        'ProfileBound',
        'StateSaveStarted',
        'StateSaved',
        'ProfileBound',
      ]);
      expect(world.fleet.destroyed).to.deep.equal([id]);
    });

    it('between letting go of the profile and freeing the slot does not stop the next launch', async () => {
      const id = await endedWithoutCleanUp();
      expect(await save(id)).to.equal('saved');
      await live();
      const { state } = await world.runner.load(accountSlots, uuidOf(caller.accountId));
      expect(state.slots.map(({ sessionId }) => sessionId)).to.not.include(id);
    });

    /** Stops a creation where the node would be chosen or asked, as a kill does. */
    const killed = (id: SessionId, at: 'onPlace' | 'onCreate') => {
      const stop = () => Promise.reject(new Error('killed'));
      if (at === 'onPlace') world.fleet.onPlace = stop;
      else world.fleet.onCreate = stop;
      return launch(id).catch(() => undefined);
    };

    it('after the slot was reserved leaves the profile free when the lease of the slot runs out', async () => {
      const id = newSessionId();
      await killed(id, 'onPlace');
      expect(await slugOf(launch())).to.equal('profile-in-use');
      world.clock.advance(60_000);
      await world.sessions.releaseOrphanedSlot(caller.accountId, id, newContext(null));
      world.fleet.onPlace = () => Promise.resolve(nodeId);
      await live();
    });

    it('after the profile was bound leaves it free when the lease of the slot runs out', async () => {
      const id = newSessionId();
      await bindAlone(id, true);
      expect(await slugOf(launch())).to.equal('profile-in-use');
      world.clock.advance(60_000);
      await world.sessions.releaseOrphanedSlot(caller.accountId, id, newContext(null));
      expect(await used()).to.equal('free');
      await live();
    });

    it('having bound the profile after its slot was given away does not keep it', async () => {
      await bindAlone(newSessionId(), false);
      await live();
    });

    async function bindAlone(sessionId: SessionId, withSlot: boolean): Promise<void> {
      const { accountId, context } = caller;
      const at = now(world);
      const leaseExpiresAt = new Date(world.clock.now().getTime() + 60_000).toISOString();
      const slot = {
        type: 'ReserveSlot',
        accountId,
        sessionId,
        profileId,
        limit: 3,
        leaseExpiresAt,
        at,
      } as const;
      if (withSlot) await world.runner.run(accountSlots, uuidOf(accountId), slot, context);
      const bind = { type: 'BindProfile', sessionId, at } as const;
      await world.runner.run(profile, uuidOf(profileId), bind, newContext(accountId));
    }

    it('after it was requested is errored when its lease ends, and lets go of the profile', async () => {
      const id = newSessionId();
      await killed(id, 'onCreate');
      world.clock.advance(90_000);
      await world.sessions.expireCreationLease(id, newContext(null));
      expect(await history()).to.deep.equal(['ProfileBound', 'ProfileReleased']);
    });

    it('and withdrawn by a retry with its key lets go of the profile', async () => {
      const id = newSessionId();
      await bindAlone(id, true);
      await world.sessions.withdraw(again(caller), id);
      expect(await used()).to.equal('free');
    });
  });

  describe('of an account that has saved too much', () => {
    const egress = { udp_associate: false, dns_remote_resolve: true, quic_route: 'none', warnings: [] };
    beforeEach(() => {
      world.fleet.onCreate = () => Promise.resolve({ outcome: 'succeeded', egress_capabilities: egress });
    });

    /** What the session knows of its network, once its node has reported that. */
    async function launchWith(tier: Tier, bytes: number, reported?: EgressCapabilities) {
      const owner = newCaller(tier, 3);
      const id = await profiles.profileOf(owner, { bytes });
      await profiles.profileOf(owner, { name: 'another', bytes: 1 });
      const sessionId = newSessionId();
      await world.sessions.create(owner, sessionId, { profile_id: id });
      const of = { report_id: sessionId, session_id: sessionId, at: now(world) };
      const report = { kind: 'egress_capabilities', ...of } as const;
      if (reported) await world.sessions.takeReport(nodeId, { ...report, capabilities: reported });
      const { state } = await world.runner.load(session, uuidOf(sessionId));
      return state.status === 'none' ? undefined : state.egress;
    }

    it('is refused above the cap of its tier, with what is used and what may be', async () => {
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
      await profiles.profileOf(owner, { bytes: tierLimits.team.storage.bytes + 1 });
      await world.sessions.create(owner, newSessionId(), {});
    });
  });
});

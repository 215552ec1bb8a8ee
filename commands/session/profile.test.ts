import { expect } from 'chai';
import { toId, uuidOf, type ProfileId, type SessionId } from '../../contracts/ids.ts';
import { Refusal } from '../../contracts/problems.ts';
import { accountSlots } from '../../domain/account-slots.ts';
import { profile } from '../../domain/profile/profile.ts';
import { systemContext, type Caller } from '../engine/context.ts';
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
    const error: unknown = await request.catch((failure: unknown) => failure);
    if (error instanceof Refusal) return error;
    throw new Error(`The request was not refused: ${String(error)}`);
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

    it('on a node that gets the profile, and its state if there is one', async () => {
      const first = await live();
      expect(world.fleet.profiles.at(-1)).to.deep.include({ profile_id: profileId, has_state: false });
      await destroy(first);
      expect(await save(first)).to.equal('saved');
      await live();
      const [before, after] = world.fleet.profiles;
      expect(after?.has_state).to.equal(true);
      expect(after?.noise_seed).to.equal(before?.noise_seed);
    });

    it('only for an existing profile of its own account', async () => {
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

    it('not on a slot whose lease is about to end, and then releases the profile', async () => {
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
      await world.sessions.markNodeLost(id, nodeId, systemContext('lost', 'timer:test'));
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

    it('is refused after 30 seconds with the id of the session that saves, and holds no slot', async () => {
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
});

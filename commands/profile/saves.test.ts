import { expect } from 'chai';
import { toId, uuidOf, type ProfileId, type SessionId } from '../../contracts/ids.ts';
import { profileEvents, type ProfileEvent } from '../../contracts/events/profile.ts';
import { profile } from '../../domain/profile/profile.ts';
import { Refusal } from '../../contracts/problems.ts';
import { StateNotKept, StateUnreadable } from '../../infra/profile-states/index.ts';
import { EventStoreUnavailable } from '../../infra/event-store/client/index.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { isKnown } from '../engine/recording.ts';
import { now, systemContext, type Caller } from '../engine/context.ts';
import { blobSweep, profileStatesManager } from '../process-managers/index.ts';
import { onTimer } from '../process-managers/timers.ts';
import { defaultSessionLimits } from '../session/index.ts';
import {
  again,
  createWorld,
  newCaller,
  newContext,
  newSessionId,
  nodeId,
  quiet,
  useStore,
  type World,
} from '../session/testing.ts';
import { createProfileSaves } from './saves.ts';
import { sweepBlobs } from './sweep.ts';
import { archive, census, textOf, withProfiles } from './testing.ts';

const otherNode = toId('node', '0197f1a0-0000-7000-8000-000000000009');

describe('states of profiles', () => {
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

  async function launch(): Promise<SessionId> {
    const id = newSessionId();
    await world.sessions.create(again(caller), id, { profile_id: profileId });
    return id;
  }
  const destroy = async (id: SessionId) =>
    world.sessions.destroy(again(caller), await world.sessions.find(caller, id));
  /** A session that was launched and has ended. */
  async function ended(): Promise<SessionId> {
    const id = await launch();
    await destroy(id);
    return id;
  }
  const save = (id: SessionId, text = 'a state', node = nodeId) =>
    profiles.saves.save(node, id, census(1), archive(text));
  async function saved(text: string): Promise<SessionId> {
    const id = await ended();
    expect(await save(id, text)).to.equal('saved');
    return id;
  }
  const present = async () => {
    const { state } = await world.runner.load(profile, uuidOf(profileId));
    if (state.status !== 'active') throw new Error(`The profile is ${state.status}.`);
    return state;
  };
  const eventsOf = async (): Promise<(RecordedEvent & ProfileEvent)[]> => {
    const events: (RecordedEvent & ProfileEvent)[] = [];
    for await (const event of world.store.readStream(`profile-${uuidOf(profileId)}`))
      if (isKnown<ProfileEvent>(profileEvents, event)) events.push(event);
    return events;
  };
  const react = async () => {
    const { runner, sessions } = world;
    const manager = profileStatesManager({ runner, sessions, states: profiles.states });
    for (const event of await eventsOf()) await manager.handle(event);
  };
  const blobs = () => [...profiles.blobs.stored.keys()];

  describe('that are saved', () => {
    it('are what the next session starts with, and take the place of no newer one', async () => {
      await saved('the first');
      await saved('the second');
      const id = await launch();
      const found = await profiles.saves.open(nodeId, id);
      expect(await textOf(found ?? archive('none'))).to.equal('the second');
      expect((await present()).state?.generation).to.equal(2);
    });

    it('are sealed in the object store', async () => {
      await saved('a secret of the page');
      for (const { content } of profiles.blobs.stored.values())
        expect(content.includes('a secret of the page')).to.equal(false);
    });

    it('are saved once, however often they are sent', async () => {
      const id = await ended();
      expect(await Promise.all([save(id), save(id)])).to.deep.equal(['saved', 'saved']);
      expect(await save(id, 'another')).to.equal('saved');
      const types = (await eventsOf()).map(({ type }) => type);
      expect(types.filter((type) => type === 'StateSaved')).to.have.length(1);
      expect(blobs()).to.deep.equal([(await present()).state?.blob]);
    });

    it('before the clean-up of their session came that far are saved all the same', async () => {
      const id = await launch();
      world.fleet.onDestroy = async () => void expect(await save(id)).to.equal('saved');
      await destroy(id);
      expect((await present()).use.kind).to.equal('free');
    });

    it('are taken from the node of the session alone', async () => {
      const id = await ended();
      expect(await save(id, 'forged', otherNode)).to.equal(undefined);
      expect(await save(newSessionId())).to.equal(undefined);
      expect(blobs()).to.deep.equal([]);
    });

    it('are not taken while the session lives, nor after it failed', async () => {
      const id = await launch();
      expect(await save(id)).to.equal('refused');
      await world.sessions.markNodeLost(id, nodeId, systemContext('lost'));
      expect(await save(id)).to.equal('refused');
      expect((await present()).state).to.equal(null);
    });

    it('are not taken after the lease of the save ran out', async () => {
      const id = await ended();
      world.clock.advance(defaultSessionLimits.saveLeaseMs);
      await expire();
      expect(await save(id)).to.equal('refused');
      expect((await present()).saveFailure?.reason).to.equal('upload_failed');
      expect(blobs()).to.deep.equal([]);
    });

    it('are dropped when the lease runs out while they are kept', async () => {
      const id = await ended();
      const slow = async function* () {
        yield Buffer.from('a state');
        world.clock.advance(defaultSessionLimits.saveLeaseMs);
        await expire();
      };
      expect(await profiles.saves.save(nodeId, id, census(1), slow())).to.equal('refused');
      expect(blobs()).to.deep.equal([]);
    });

    it('that break off on their way are nothing, and may be sent again', async () => {
      const id = await ended();
      const cut = async function* () {
        yield Buffer.from('half of');
        throw new Error('The node is gone.');
      };
      const error: unknown = await profiles.saves
        .save(nodeId, id, census(1), cut())
        .catch((failure: unknown) => failure);
      expect(error).to.be.an('error').with.property('message', 'The node is gone.');
      expect((await present()).use.kind).to.equal('saving');
      expect(await save(id)).to.equal('saved');
    });

    it('that the object store does not take have failed; the state before stays', async () => {
      await saved('the first');
      const id = await ended();
      const states = {
        ...profiles.states,
        keep: () => Promise.reject(new StateNotKept('too_large', 'It is too large.')),
      };
      const { runner, clock } = world;
      const failing = createProfileSaves({
        runner,
        clock,
        states,
        limits: defaultSessionLimits,
        logger: quiet,
      });
      expect(await failing.save(nodeId, id, census(1), archive('huge'))).to.equal('refused');
      const { state, saveFailure, use } = await present();
      expect([state?.generation, saveFailure?.reason, use.kind]).to.deep.equal([1, 'too_large', 'free']);
    });

    it('stay where they are when it is unknown whether they were recorded', async () => {
      const id = await ended();
      const { clock } = world;
      const runner: World['runner'] = {
        load: world.runner.load,
        run: async (decider, uuid, command, context, options) => {
          const outcome = await world.runner.run(decider, uuid, command, context, options);
          if (outcome.events.some(({ type }) => type === 'StateSaved'))
            throw new EventStoreUnavailable('The answer was lost.');
          return outcome;
        },
      };
      const { states } = profiles;
      const deaf = createProfileSaves({ runner, clock, states, limits: defaultSessionLimits, logger: quiet });
      const error: unknown = await deaf
        .save(nodeId, id, census(1), archive('a state'))
        .catch((failure: unknown) => failure);
      expect(error).to.be.instanceOf(EventStoreUnavailable);
      expect(await save(id)).to.equal('saved');
      expect(blobs()).to.deep.equal([(await present()).state?.blob]);
    });
  });

  describe('that cannot be read', () => {
    const refusal = async (id: SessionId) =>
      profiles.saves.open(nodeId, id).then(
        () => 'opened',
        (error: unknown) => (error instanceof Refusal ? error.slug : 'failed'),
      );

    it('are refused when they are missing', async () => {
      await saved('a state');
      profiles.blobs.stored.clear();
      expect(await refusal(await launch())).to.equal('driver-error');
    });

    it('break off where they were changed', async () => {
      await saved('a state');
      for (const { content } of profiles.blobs.stored.values())
        content.writeUInt8(content.readUInt8(content.length - 1) ^ 1, content.length - 1);
      const found = await profiles.saves.open(nodeId, await launch());
      const error: unknown = await textOf(found ?? archive('none')).catch((failure: unknown) => failure);
      expect(error).to.be.instanceOf(StateUnreadable);
    });

    it('are not given to another node, nor to a session that has ended', async () => {
      await saved('a state');
      const id = await launch();
      expect(await profiles.saves.open(otherNode, id)).to.equal(undefined);
      await destroy(id);
      expect(await profiles.saves.open(nodeId, id)).to.equal(undefined);
    });
  });

  describe('that could not be saved', () => {
    const report = (id: SessionId, reportId = 'r1') =>
      world.sessions.takeReport(nodeId, {
        ...{ kind: 'profile_save_failed', report_id: reportId, session_id: id, profile_id: profileId },
        ...{ reason: 'degenerate_dump', detail: 'There was nothing in it.', at: now(world) },
      } as const);

    it('are reported by the node, and free the profile with the state before', async () => {
      await saved('the first');
      const id = await ended();
      await report(id);
      const { state, saveFailure, use } = await present();
      expect([state?.generation, saveFailure?.reason, use.kind]).to.deep.equal([
        1,
        'degenerate_dump',
        'free',
      ]);
    });

    it('are an event of their session once, however often the node or the reaction repeats it', async () => {
      const id = await ended();
      await report(id);
      await report(id);
      await report(id, 'r2');
      await react();
      await react();
      const types = await world.eventsOf('session', id);
      expect(types.slice(-2)).to.deep.equal(['SessionDestroyed', 'ProfileSaveFailed']);
    });

    it('in time are an event of their session too', async () => {
      const id = await ended();
      world.clock.advance(defaultSessionLimits.saveLeaseMs);
      await expire();
      await react();
      expect((await world.eventsOf('session', id)).at(-1)).to.equal('ProfileSaveFailed');
    });
  });

  describe('that nobody needs any more', () => {
    it('are deleted once a newer one is recorded', async () => {
      await saved('the first');
      await saved('the second');
      expect(blobs()).to.have.length(2);
      await react();
      expect(blobs()).to.deep.equal([(await present()).state?.blob]);
    });

    it('are deleted when the profile is purged', async () => {
      await saved('a state');
      const run = (type: 'TrashProfile' | 'PurgeProfile') => {
        const at = now(world);
        const command =
          type === 'TrashProfile'
            ? ({ type, purgeAt: at, at } as const)
            : ({ type, cause: 'customer', at } as const);
        return world.runner.run(profile, uuidOf(profileId), command, newContext(caller.accountId));
      };
      await run('TrashProfile');
      await run('PurgeProfile');
      await react();
      expect(blobs()).to.deep.equal([]);
    });

    it('are swept after a day when no profile names them; others stay', async () => {
      await saved('a state');
      const uuid = uuidOf(profileId);
      await profiles.blobs.put(`${uuid}/9-lost`, archive('left by a killed process'));
      await profiles.blobs.put(`${uuidOf(newSessionId())}/1-lost`, archive('of no profile'));
      await profiles.blobs.put('notes.txt', archive('somebody else’s'));
      const ports = { blobs: profiles.blobs, runner: world.runner, clock: world.clock, logger: quiet };
      expect(await sweepBlobs(ports)).to.deep.equal({ kept: 4, deleted: 0 });
      world.clock.advance(24 * 3_600_000);
      await blobSweep(ports).run();
      expect(blobs()).to.have.members([(await present()).state?.blob, 'notes.txt']);
    });
  });

  describe('of profiles in the trash', () => {
    it('are purged by the timer once they have been there long enough', async () => {
      const at = now(world);
      const purgeAt = new Date(world.clock.now().getTime() + 1000).toISOString();
      const trash = { type: 'TrashProfile', purgeAt, at } as const;
      await world.runner.run(profile, uuidOf(profileId), trash, newContext(caller.accountId));
      await fire('profile_purge');
      expect(await world.eventsOf('profile', profileId)).to.not.include('ProfilePurged');
      world.clock.advance(1000);
      await fire('profile_purge');
      const purged = (await eventsOf()).at(-1);
      expect(purged?.type).to.equal('ProfilePurged');
      expect(purged?.metadata.actor).to.deep.equal({ kind: 'system', account_id: caller.accountId });
    });
  });

  const expire = () => fire('profile_save_lease');
  /** The timer comes, as its wake-up or the sweep would have it. */
  const fire = (kind: 'profile_purge' | 'profile_save_lease') => {
    const row = {
      ...{ id: `${kind}-${profileId}`, kind, subject_id: profileId },
      ...{ account_id: caller.accountId, due_at: world.clock.now() },
    };
    const timers = { byId: () => Promise.resolve(row), due: () => Promise.resolve([]) };
    return onTimer({ ...world, timers, logger: quiet }, row.id);
  };
});

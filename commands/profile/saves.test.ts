import { expect } from 'chai';
import { fieldAt } from '../../contracts/events/fields.ts';
import { toId, uuidOf, type SessionId } from '../../contracts/ids.ts';
import { Refusal } from '../../contracts/problems.ts';
import { profile } from '../../domain/profile/profile.ts';
import { StateNotKept, StateUnreadable } from '../../infra/profile-states/index.ts';
import { EventStoreUnavailable } from '../../infra/event-store/client/index.ts';
import { systemContext } from '../engine/context.ts';
import { Contended } from '../engine/runner.ts';
import {
  newContext,
  newSessionId,
  nodeId,
  quiet,
  testLimits,
  useStore,
  type World,
} from '../session/testing.ts';
import { createProfileSaves } from './saves.ts';
import { ProfileWorld, archive, census, textOf } from './testing.ts';

const otherNode = toId('node', '0197f1a0-0000-7000-8000-000000000009');

describe('states of profiles', () => {
  const stored = useStore();
  let w: ProfileWorld;
  beforeEach(async () => {
    w = await ProfileWorld.open(stored.store);
  });

  describe('that are saved', () => {
    it('are used by the next session, and replace no newer one', async () => {
      await w.saved('the first');
      await w.saved('the second');
      const id = await w.launch();
      const found = await w.profiles.saves.open(nodeId, id);
      expect(await textOf(found ?? archive('none'))).to.equal('the second');
      expect((await w.present()).state?.generation).to.equal(2);
    });

    it('are sealed in the object store', async () => {
      await w.saved('a secret of the page');
      for (const { content } of w.profiles.blobs.stored.values())
        expect(content.includes('a secret of the page')).to.equal(false);
    });

    it('are saved once, however often they are sent', async () => {
      const id = await w.ended();
      expect(await Promise.all([w.save(id), w.save(id)])).to.deep.equal(['saved', 'saved']);
      expect(await w.save(id, 'another')).to.equal('saved');
      const types = (await w.events()).map(({ type }) => type);
      expect(types.filter((type) => type === 'StateSaved')).to.have.length(1);
      expect(w.blobs()).to.deep.equal([(await w.present()).state?.blob]);
    });

    it('are saved even while the clean-up of their session is running', async () => {
      const id = await w.launch();
      w.world.fleet.onDestroy = async () => void expect(await w.save(id)).to.equal('saved');
      await w.destroy(id);
      expect((await w.present()).use.kind).to.equal('free');
    });

    it('are saved for a profile in the trash, too', async () => {
      const id = await w.ended();
      const { runner, clock } = w.world;
      const at = clock.now().toISOString();
      const trash = { type: 'TrashProfile', purgeAt: at, at } as const;
      await runner.run(profile, uuidOf(w.profileId), trash, newContext(w.caller.accountId));
      expect(await w.save(id, 'the last')).to.equal('saved');
      const { state } = await runner.load(profile, uuidOf(w.profileId));
      expect(state).to.include({ status: 'trashed', savedBy: id });
    });

    it('are accepted only from the node of the session', async () => {
      const id = await w.ended();
      expect(await w.save(id, 'forged', otherNode)).to.equal(undefined);
      expect(await w.save(newSessionId())).to.equal(undefined);
      expect(w.blobs()).to.deep.equal([]);
    });

    it('are not accepted while the session lives, nor after it failed', async () => {
      const id = await w.launch();
      expect(await w.save(id)).to.equal('refused');
      await w.world.sessions.markNodeLost(id, nodeId, systemContext('lost', 'timer:test'));
      expect(await w.save(id)).to.equal('refused');
      expect((await w.present()).state).to.equal(null);
    });

    it('are not accepted after the lease of the save', async () => {
      const id = await w.ended();
      w.world.clock.advance(testLimits.saveLeaseMs);
      await w.fire('profile_save_lease');
      expect(await w.save(id)).to.equal('refused');
      expect((await w.present()).saveFailure?.reason).to.equal('upload_failed');
      expect(w.blobs()).to.deep.equal([]);
    });

    it('are dropped if the lease ends while they are stored', async () => {
      const id = await w.ended();
      const slow = async function* () {
        yield Buffer.from('a state');
        w.world.clock.advance(testLimits.saveLeaseMs);
        await w.fire('profile_save_lease');
      };
      expect(await w.profiles.saves.save(nodeId, id, census(1), slow())).to.equal('refused');
      expect(w.blobs()).to.deep.equal([]);
    });

    it('are not stored if the transfer breaks off, and may be sent again', async () => {
      const id = await w.ended();
      const cut = async function* () {
        yield Buffer.from('half of');
        throw new Error('The node is gone.');
      };
      const error: unknown = await w.profiles.saves
        .save(nodeId, id, census(1), cut())
        .catch((failure: unknown) => failure);
      expect(error).to.be.an('error').with.property('message', 'The node is gone.');
      expect((await w.present()).use.kind).to.equal('saving');
      expect(await w.save(id)).to.equal('saved');
    });

    it('have failed if the object store refuses them; the previous state stays', async () => {
      await w.saved('the first');
      const id = await w.ended();
      const states = {
        ...w.profiles.states,
        keep: () => Promise.reject(new StateNotKept('too_large', 'It is too large.')),
      };
      const { runner, clock } = w.world;
      const failing = createProfileSaves({
        runner,
        clock,
        states,
        limits: testLimits,
        logger: quiet,
      });
      expect(await failing.save(nodeId, id, census(1), archive('huge'))).to.equal('refused');
      const { state, saveFailure, use } = await w.present();
      expect([state?.generation, saveFailure?.reason, use.kind]).to.deep.equal([1, 'too_large', 'free']);
    });

    it('are sent again, and saved then, if the profile kept changing while they were recorded', async () => {
      await w.saved('the first');
      const id = await w.ended();
      const { runner, clock } = w.world;
      const contended: World['runner'] = {
        load: runner.load,
        run: async (decider, uuid, command, context, options) => {
          if (fieldAt(command, 'type') === 'SaveState') throw new Contended();
          return runner.run(decider, uuid, command, context, options);
        },
      };
      const { states } = w.profiles;
      const limits = testLimits;
      const saves = createProfileSaves({ runner: contended, clock, states, limits, logger: quiet });
      const error: unknown = await saves
        .save(nodeId, id, census(1), archive('the second'))
        .catch((failure: unknown) => failure);
      expect(error).to.be.instanceOf(Contended);
      expect((await w.present()).use.kind).to.equal('saving');
      expect(await w.save(id, 'the second')).to.equal('saved');
      const { state } = await w.present();
      expect(state?.generation).to.equal(2);
      expect(w.blobs()).to.include(state?.blob).and.have.length(2);
    });

    it('stay stored while it is unknown whether they were recorded', async () => {
      const id = await w.ended();
      const { clock } = w.world;
      const runner: World['runner'] = {
        load: w.world.runner.load,
        run: async (decider, uuid, command, context, options) => {
          const outcome = await w.world.runner.run(decider, uuid, command, context, options);
          if (outcome.events.some(({ type }) => type === 'StateSaved'))
            throw new EventStoreUnavailable('The answer was lost.');
          return outcome;
        },
      };
      const { states } = w.profiles;
      const deaf = createProfileSaves({ runner, clock, states, limits: testLimits, logger: quiet });
      const error: unknown = await deaf
        .save(nodeId, id, census(1), archive('a state'))
        .catch((failure: unknown) => failure);
      expect(error).to.be.instanceOf(EventStoreUnavailable);
      expect(await w.save(id)).to.equal('saved');
      expect(w.blobs()).to.deep.equal([(await w.present()).state?.blob]);
    });
  });

  describe('that cannot be read', () => {
    const refusal = async (id: SessionId) =>
      w.profiles.saves.open(nodeId, id).then(
        () => 'opened',
        (error: unknown) => (error instanceof Refusal ? error.slug : 'failed'),
      );

    it('are refused when they are missing', async () => {
      await w.saved('a state');
      w.profiles.blobs.stored.clear();
      expect(await refusal(await w.launch())).to.equal('driver-error');
    });

    it('break off where they were changed', async () => {
      await w.saved('a state');
      for (const { content } of w.profiles.blobs.stored.values())
        content.writeUInt8(content.readUInt8(content.length - 1) ^ 1, content.length - 1);
      const found = await w.profiles.saves.open(nodeId, await w.launch());
      const error: unknown = await textOf(found ?? archive('none')).catch((failure: unknown) => failure);
      expect(error).to.be.instanceOf(StateUnreadable);
    });

    it('are not given to another node, nor to a session that has ended', async () => {
      await w.saved('a state');
      const id = await w.launch();
      expect(await w.profiles.saves.open(otherNode, id)).to.equal(undefined);
      await w.destroy(id);
      expect(await w.profiles.saves.open(nodeId, id)).to.equal(undefined);
    });
  });
});

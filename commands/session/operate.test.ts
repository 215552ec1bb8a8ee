import { expect } from 'chai';
import type { DispatchFailure } from '../../contracts/fleet/protocol.ts';
import type { SessionId } from '../../contracts/ids.ts';
import { problems, Refusal } from '../../contracts/problems.ts';
import { NodeSilent } from '../../infra/fleet/control-plane/port.ts';
import { systemContext, type Caller } from '../engine/context.ts';
import type { OperationInput } from './index.ts';
import {
  again,
  createWorldWithSession,
  newCaller,
  newSessionId,
  nodeId,
  useStore,
  slugOf,
  type World,
} from './testing.ts';

describe('session operations', () => {
  const opened = useStore();
  let world: World;
  let caller: Caller;
  let id: SessionId;
  beforeEach(async () => {
    ({ world, caller, id } = await createWorldWithSession(opened.store, 'personal'));
  });

  const operate = async (input: OperationInput = {}) =>
    world.sessions.operate(again(caller), await world.sessions.find(caller, id), 'navigate', input);
  const failWith = (failure: Partial<DispatchFailure>) => {
    const usual = { kind: 'page', category: 'element_not_found', reason: 'Nothing matches.' } as const;
    world.fleet.onOperate = () => Promise.resolve({ outcome: 'failed', failure: { ...usual, ...failure } });
  };

  /** Records the loss of the browser, as the node's report of its death or the watch for lost nodes does. */
  const lose = (reason: 'driver_failure' | 'node_lost') => {
    if (reason === 'node_lost')
      return world.sessions.markNodeLost(id, nodeId, systemContext(`node_lost-${id}`, 'timer:test'));
    const at = world.clock.now().toISOString();
    return world.sessions.takeReport(nodeId, {
      kind: 'session_died',
      report_id: id,
      session_id: id,
      at,
    });
  };

  const detailOf = (request: Promise<unknown>) =>
    request.then(
      () => 'It was not refused.',
      (refusal: unknown) => (refusal instanceof Refusal ? refusal.message : String(refusal)),
    );

  describe('operating a session', () => {
    it('gives the node’s result and the session back', async () => {
      const { result, position } = await operate();
      expect(result).to.deep.equal({ done: true });
      expect(position).to.have.keys('commit', 'prepare');
      const [, , ...types] = await world.eventsOf('session', id);
      expect(types).to.deep.equal(['OperationClaimed', 'OperationSettled']);
      await operate();
    });

    it('has one winner among many at once: the others get a conflict and nothing is dispatched for them', async () => {
      const requests = await Promise.allSettled(Array.from({ length: 20 }, () => operate()));
      const lost = requests.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
      expect(world.fleet.dispatched).to.have.length(20 - lost.length);
      for (const error of lost) expect(error instanceof Refusal && error.slug).to.equal('conflict');
      expect(new Set(world.fleet.dispatched).size).to.equal(world.fleet.dispatched.length);
    });

    it('is a conflict while another operation runs', async () => {
      world.fleet.onOperate = async () => {
        world.fleet.onOperate = () => Promise.reject(new Error('dispatched a second time'));
        expect(await slugOf(operate())).to.equal('conflict');
        return { outcome: 'succeeded', result: null };
      };
      await operate();
      expect(world.fleet.dispatched).to.have.length(1);
    });

    for (const [kind, slug] of [
      ['page', 'driver-error'],
      ['timeout', 'session-timeout'],
      ['unsupported', 'driver-not-integrated'],
      ['unavailable', 'feature-unavailable'],
    ] as const) {
      it(`answers ${slug} to a failure the session survives (${kind})`, async () => {
        failWith({ kind });
        expect(await slugOf(operate())).to.equal(slug);
        world.fleet.onOperate = () => Promise.resolve({ outcome: 'succeeded', result: null });
        await operate();
      });
    }

    it('names the category of a page-level failure', async () => {
      failWith({});
      const error: unknown = await operate().catch((failure: unknown) => failure);
      expect(error instanceof Refusal && error.extensions).to.deep.equal({ category: 'element_not_found' });
    });

    it('treats an error of the request that only the browser can find as an error of the request', async () => {
      failWith({ category: 'invalid_request', reason: 'The selector is not a valid CSS selector.' });
      const error: unknown = await operate().catch((failure: unknown) => failure);
      expect(error).to.include({
        slug: 'bad-request',
        message: 'The selector is not a valid CSS selector.',
      });
      expect((await world.eventsOf('session', id)).at(-1)).to.equal('OperationSettled');
    });

    it('ends the session on a driver-level failure and frees the slot', async () => {
      failWith({ kind: 'driver', category: 'session_error' });
      expect(await slugOf(operate())).to.equal('driver-error');
      expect(await slugOf(operate())).to.equal('session-destroyed');
      expect(await world.eventsOf('account_slots', caller.accountId)).to.deep.equal([
        'SlotReserved',
        'SlotReleased',
      ]);
    });

    it('ends the session when the browser stays silent', async () => {
      world.fleet.onOperate = () => Promise.reject(new NodeSilent('no answer'));
      expect(await slugOf(operate())).to.equal('session-timeout');
      expect((await world.eventsOf('session', id)).at(-1)).to.equal('SessionErrored');
    });

    it('says that a failure has ended the session, and says nothing if the session continues', async () => {
      failWith({});
      expect(await detailOf(operate())).to.equal('Nothing matches.');
      failWith({ kind: 'silent', category: 'session_error', reason: 'The browser did not answer in time.' });
      const said = 'The browser did not answer in time. The session has ended.';
      expect(await detailOf(operate())).to.equal(said);
    });

    it('loses the race to a DELETE with session-destroyed', async () => {
      world.fleet.onOperate = async () => {
        await world.sessions.destroy(again(caller), await world.sessions.find(caller, id));
        return { outcome: 'succeeded', result: null };
      };
      expect(await slugOf(operate())).to.equal('session-destroyed');
      expect((await world.eventsOf('session', id)).at(-1)).to.equal('SessionDestroyed');
    });

    for (const [reason, kind, slug] of [
      ['driver_failure', 'driver', 'driver-error'],
      ['node_lost', 'silent', 'session-timeout'],
    ] as const) {
      it(`answers its own failure if that was reported first (${reason}); later ones find the session destroyed`, async () => {
        world.fleet.onOperate = async () => {
          await lose(reason);
          return { outcome: 'failed', failure: { kind, category: 'session_error', reason: 'It is gone.' } };
        };
        const refusal: unknown = await operate().catch((error: unknown) => error);
        expect(refusal).to.include({ slug, message: 'It is gone. The session has ended.' });
        expect(await world.eventsOf('account_slots', caller.accountId)).to.include('SlotReleased');
        expect(await slugOf(operate())).to.equal('session-destroyed');
      });
    }

    it('answers session-destroyed if it did not fail by the loss of its browser, or a DELETE came first', async () => {
      world.fleet.onOperate = async () => {
        await lose('node_lost');
        return { outcome: 'succeeded', result: null };
      };
      expect(await slugOf(operate())).to.equal('session-destroyed');
      ({ world, caller, id } = await createWorldWithSession(opened.store, 'personal'));
      world.fleet.onOperate = async () => {
        await world.sessions.destroy(again(caller), await world.sessions.find(caller, id));
        throw new NodeSilent('no answer');
      };
      expect(await slugOf(operate())).to.equal('session-destroyed');
    });

    it('killed before its settle leaves the session busy until it is destroyed', async () => {
      world.fleet.onOperate = () => Promise.reject(new Error('killed'));
      await operate().catch((error: unknown) => expect(error).to.be.an('error', 'killed'));
      expect(await slugOf(operate())).to.equal('conflict');
      await world.sessions.destroy(again(caller), await world.sessions.find(caller, id));
      await world.sessions.create(again(caller), newSessionId(), {});
      expect(world.fleet.dispatched).to.have.length(1);
    });
  });

  describe('a session of another account', () => {
    it('is not found, like a missing one and like an invalid id', async () => {
      const refusals = await Promise.all(
        [id, newSessionId(), 'ses_x', 'prof_0197f1a0-0000-7000-8000-000000000001'].map((each) =>
          world.sessions.find(newCaller(), each).catch((error: unknown) => error),
        ),
      );
      for (const refusal of refusals)
        expect(refusal).to.deep.include({ slug: 'not-found', message: problems['not-found'].detail });
    });
  });
});

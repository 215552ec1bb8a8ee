import { expect } from 'chai';
import { toId, uuidOf, type SessionId } from '../../contracts/ids.ts';
import { systemContext, type Caller } from '../engine/context.ts';
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

describe('session ends', () => {
  const opened = useStore();
  let world: World;
  let caller: Caller;
  let id: SessionId;
  beforeEach(async () => {
    ({ world, caller, id } = await createWorldWithSession(opened.store, 'free'));
  });

  const otherNode = toId('node', '0197f1a0-0000-7000-8000-0000000000ff');
  const lastEvent = async () => (await world.eventsOf('session', id)).at(-1);
  const slotEvents = () => world.eventsOf('account_slots', caller.accountId);

  describe('destroying a session', () => {
    it('returns once the browser is closed and the slot freed, and is idempotent', async () => {
      const owned = await world.sessions.find(caller, id);
      const { position } = await world.sessions.destroy(again(caller), owned);
      expect(position).to.have.keys('commit', 'prepare');
      expect(world.fleet.destroyed).to.deep.equal([id]);
      expect(await slotEvents()).to.deep.equal(['SlotReserved', 'SlotReleased']);
      expect(await world.sessions.destroy(again(caller), owned)).to.deep.equal({ position: undefined });
      expect(await world.eventsOf('session', id)).to.have.length(3);
    });
  });

  describe('destroying a session whose browser is starting', () => {
    it('frees the slot and returns without waiting for the browser', async () => {
      const other = newCaller('free', 1);
      let close: () => void = () => undefined;
      const starting = newSessionId();
      world.fleet.onCreate = async () => {
        world.fleet.onDestroy = () => new Promise((resolve) => (close = resolve));
        await world.sessions.destroy(again(other), await world.sessions.find(other, starting));
        expect(await world.eventsOf('account_slots', other.accountId)).to.include('SlotReleased');
        expect(world.fleet.destroyed).to.deep.equal([starting]);
        world.fleet.onDestroy = () => Promise.resolve();
        close();
        return { outcome: 'succeeded', egress_capabilities: null };
      };
      expect(await slugOf(world.sessions.create(other, starting, {}))).to.equal('session-destroyed');
      expect(await world.eventsOf('session', starting)).to.deep.equal([
        'SessionRequested',
        'SessionDestroyed',
      ]);
    });
  });

  describe('ends without a request', () => {
    it('come at the free tier’s cap, 20 minutes after the request', async () => {
      world.clock.advance(20 * 60_000 - 1);
      await world.sessions.enforceDurationCap(id, systemContext('cap', 'timer:test'));
      expect(await lastEvent()).to.equal('SessionReady');
      world.clock.advance(1);
      await world.sessions.enforceDurationCap(id, systemContext('cap', 'timer:test'));
      expect(await lastEvent()).to.equal('SessionDestroyed');
      expect(await slotEvents()).to.include('SlotReleased');
      expect(world.fleet.destroyed).to.deep.equal([id]);
    });

    it('come to every session of a suspended account', async () => {
      await world.sessions.endForSuspension(caller.accountId, systemContext('suspension', 'timer:test'));
      expect(await lastEvent()).to.equal('SessionDestroyed');
      await world.sessions.endForSuspension(caller.accountId, systemContext('suspension', 'timer:test'));
      expect(await slotEvents()).to.deep.equal(['SlotReserved', 'SlotReleased']);
    });

    it('follow the loss of the node of the session, and of no other node', async () => {
      await world.sessions.markNodeLost(id, otherNode, systemContext(`lost-${otherNode}`, 'timer:test'));
      expect(await lastEvent()).to.equal('SessionReady');
      await world.sessions.markNodeLost(id, nodeId, systemContext(`lost-${nodeId}`, 'timer:test'));
      expect(await lastEvent()).to.equal('SessionErrored');
    });

    it('do not wait for a lost node to close the browser', async () => {
      world.fleet.onDestroy = () => new Promise(() => undefined);
      await world.sessions.markNodeLost(id, nodeId, systemContext(`lost-${nodeId}`, 'timer:test'));
      expect(await lastEvent()).to.equal('SessionErrored');
      expect(await slotEvents()).to.deep.equal(['SlotReserved', 'SlotReleased']);
    });

    it('are written as the system’s, on the owner’s account', async () => {
      await world.sessions.markNodeLost(id, nodeId, systemContext(`lost-${nodeId}`, 'timer:test'));
      const actors: unknown[] = [];
      for await (const { metadata } of world.store.readStream(`session-${uuidOf(id)}`))
        actors.push(metadata.actor);
      expect(actors.at(-1)).to.deep.equal({ kind: 'system', account_id: caller.accountId });
    });
  });

  describe('a node’s reports', () => {
    const capabilities = { udp_associate: true, dns_remote_resolve: true, quic_route: 'proxy', warnings: [] };
    const report = {
      kind: 'egress_capabilities',
      report_id: 'r1',
      capabilities,
      at: '2026-01-05T12:00:00.000Z',
    } as const;

    it('are each one event, however often they are sent', async () => {
      const sent = { ...report, session_id: id };
      await world.sessions.takeReport(nodeId, sent);
      await world.sessions.takeReport(nodeId, sent);
      await world.sessions.takeReport(nodeId, { ...sent, report_id: 'r2' });
      const types = await world.eventsOf('session', id);
      expect(types.filter((type) => type === 'EgressCapabilitiesReported')).to.have.length(2);
    });

    it('of a death end the session', async () => {
      const died = { kind: 'session_died', report_id: 'd1', session_id: id, at: report.at } as const;
      await world.sessions.takeReport(otherNode, died);
      expect(await lastEvent()).to.equal('SessionReady');
      await world.sessions.takeReport(nodeId, { ...died, report_id: 'd2' });
      expect(await lastEvent()).to.equal('SessionErrored');
    });

    it('of a bot check become events', async () => {
      const common = { session_id: id, at: report.at };
      const challenge = { type: 'datadome', confidence: 0.9, detail: 'Its frame is on the page.' } as const;
      await world.sessions.takeReport(nodeId, {
        ...common,
        kind: 'challenge_detected',
        report_id: 'c1',
        challenge_id: 'chl_1',
        challenge,
      });
      expect(await lastEvent()).to.equal('ChallengeDetected');
    });

    it('about sessions that never existed are ignored', async () => {
      await world.sessions.takeReport(nodeId, { ...report, session_id: newSessionId() });
    });

    it('of running browsers are answered with those that must be closed', async () => {
      const gone = newSessionId();
      expect(await world.sessions.sessionsToDestroy(nodeId, [id, gone])).to.deep.equal([gone]);
      expect(await world.sessions.sessionsToDestroy(otherNode, [id])).to.deep.equal([id]);
      await world.sessions.destroy(again(caller), await world.sessions.find(caller, id));
      expect(await world.sessions.sessionsToDestroy(nodeId, [id])).to.deep.equal([id]);
    });
  });
});

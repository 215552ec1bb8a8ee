import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import express from 'express';
import pino from 'pino';
import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import type { Report } from '../../../contracts/fleet/protocol.ts';
import { toId, type NodeId, type ProfileId, type SessionId } from '../../../contracts/ids.ts';
import type { StateCensus } from '../../../contracts/profile-state.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import { onlyPepper } from '../../keys/index.ts';
import { tempDir } from '../../verification/testbed/index.ts';
import { createFleet } from '../control-plane/client.ts';
import { createFleetIngress } from '../control-plane/ingress.ts';
import type { Fleet } from '../control-plane/port.ts';
import type { SessionStates } from '../control-plane/states.ts';
import { startNode, type NodeOptions } from '../node/index.ts';
import { createSimulatedDriver } from '../simulated/index.ts';
import { registryOf } from '../testing.ts';

const logger = pino({ level: 'silent' });

export interface SentState {
  readonly session: SessionId;
  readonly census: StateCensus;
  readonly archive: Buffer;
}

/** A simulated control plane: what nodes have sent, and what it sends. A test may replace functions of `states`. */
class ControlPlane {
  readonly sent: SentState[] = [];
  readonly reports: Report[] = [];
  /** Archives that sessions start with. */
  readonly stored = new Map<SessionId, () => Readable>();
  readonly states: SessionStates = {
    open: (_node, session) => Promise.resolve(this.stored.get(session)?.()),
    save: async (_node, session, census, archive) => {
      this.sent.push({ session, census, archive: await buffer(archive) });
      return 'saved';
    },
  };
}

/** The control plane's side of profiles' states, and nodes that it calls: over real sockets, without recorded events. */
export async function startStates() {
  const controlPlane = new ControlPlane();
  const server = createServer(express().use(ingressOf(controlPlane))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const stops: (() => Promise<void>)[] = [];
  const { sent, reports, states, stored } = controlPlane;
  return {
    ...{ url, sent, reports, states },
    addNode: async (options: Partial<NodeOptions> = {}) => {
      const { stop, ...node } = await startNodeAt(url, stored, options);
      stops.push(stop);
      return node;
    },
    stop: async () => {
      for (const stop of stops) await stop();
      server.close();
      server.closeAllConnections();
    },
  };
}

const ingressOf = ({ states, reports }: ControlPlane) =>
  createFleetIngress({
    registry: {
      list: () => Promise.resolve([]),
      internal: () => Promise.resolve([]),
      instances: () => Promise.resolve([]),
      address: () => Promise.resolve(undefined),
      heartbeat: () => Promise.resolve(undefined),
      listening: () => Promise.resolve(),
      present: () => Promise.resolve(),
      listeningForMs: () => Promise.resolve(0),
      forget: () => Promise.resolve(),
    },
    joinToken: 'join-me',
    heartbeatMs: 50,
    logger,
    nodes: { register: () => Promise.resolve(), authenticate: () => Promise.resolve('active') },
    sessionsToDestroy: () => Promise.resolve([]),
    onReport: async (_node, report) => void reports.push(report),
    states,
  });

async function startNodeAt(
  url: string,
  stored: Map<SessionId, () => Readable>,
  options: Partial<NodeOptions>,
) {
  const dataDir = tempDir('node');
  const node = await startNode({
    name: 'a node',
    ...{ dataDir, logger, capacity: 8, controlPlaneUrl: url, joinToken: 'join-me', registerRetryMs: 20 },
    driver: createSimulatedDriver({ guard: createOutboundGuard() }),
    saves: { backOff: { firstMs: 10, longestMs: 10 } },
    ...options,
  });
  const credential = readFileSync(join(dataDir, 'credential'), 'utf8');
  const registry = registryOf({ url: node.url, credential });
  const fleet = createFleet({ registry, logger, peppers: onlyPepper('pepper') });
  const id = await node.registered;
  return {
    ...{ node, id, credential },
    ...callsOf(fleet, id, stored),
    stop: async () => {
      await node.drain(500);
      await fleet.close();
    },
  };
}

function callsOf(fleet: Fleet, id: NodeId, stored: Map<SessionId, () => Readable>) {
  const operate = async (of: SessionId, operation: 'navigate' | 'extract', input: unknown) => {
    const dispatch = { dispatch_id: randomUUID(), operation, input, timeout_ms: 10_000 };
    const outcome = await fleet.operate(id, of, dispatch, 15_000);
    return outcome.outcome === 'succeeded' ? outcome.result : outcome.failure;
  };
  return {
    /** A session with the profile, if any, that starts with the archive. */
    create: async (profile: ProfileId | undefined, state?: () => Readable) => {
      const session = toId('session', randomUUID());
      if (state) stored.set(session, state);
      const identity = {
        session_id: session,
        dispatch_id: randomUUID(),
        archetype: archetypeCatalogue.default,
      };
      const has = profile && { profile_id: profile, has_state: state !== undefined, noise_seed: 'seed' };
      const call = { account: toId('account', randomUUID()), deadlineMs: 30_000 };
      const outcome = await fleet.create(id, { ...identity, ...(has && { profile: has }) }, call);
      return { session, outcome };
    },
    visit: (of: SessionId, page: string) =>
      operate(of, 'navigate', { url: new URL(page, 'http://sim.test').href }),
    /** The text of an element. */
    read: (of: SessionId, selector: string) =>
      operate(of, 'extract', {
        schema: { type: 'object', properties: { text: { 'x-selector': selector } } },
      }),
    destroy: (of: SessionId) => fleet.destroy(id, of),
  };
}

import type { Logger } from 'pino';
import { nodeEvents } from '../../contracts/events/node.ts';
import type { NodeId, SessionId } from '../../contracts/ids.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { stepContext, systemContext } from '../engine/context.ts';
import type { SessionCommands } from '../session/index.ts';
import { reactingTo, type ProcessManager } from './engine/process-manager.ts';

export interface RunningSession {
  readonly id: SessionId;
  readonly nodeId: NodeId;
}

/** A node's heartbeat, `ageMs` milliseconds old. */
export interface LastHeartbeat {
  readonly nodeId: NodeId;
  readonly sessions: readonly SessionId[];
  readonly ageMs: number;
}

/**
 * Finds the sessions that were in no heartbeat for a whole lease. Only time that was watched counts: after an outage of the
 * registry, of this watcher, or of all receivers of heartbeats, every node gets a whole lease to send a heartbeat.
 */
export class NodeWatch {
  readonly #leaseMs: number;
  readonly #longestGapMs: number;
  /** When each session was last in a heartbeat, or first watched; milliseconds since the epoch. */
  #lastSeen: ReadonlyMap<SessionId, number> = new Map();
  #lastLook = -Infinity;

  /** A gap between two looks longer than `longestGapMs` restarts the watch. */
  constructor(leaseMs: number, longestGapMs: number) {
    this.#leaseMs = leaseMs;
    this.#longestGapMs = longestGapMs;
  }

  /**
   * The sessions that count as lost at `now`, milliseconds since the epoch. `listeningForMs`: for how long heartbeats have been
   * received without a break.
   */
  look(
    now: number,
    running: readonly RunningSession[],
    nodes: readonly LastHeartbeat[],
    listeningForMs = Infinity,
  ): readonly RunningSession[] {
    const isContinued = Math.abs(now - this.#lastLook) <= this.#longestGapMs;
    const before = isContinued ? this.#lastSeen : new Map<SessionId, number>();
    const spokenFor = lastSeenAt(now, nodes);
    const lastSeen = new Map(
      running.map((session) => [
        session.id,
        Math.max(
          before.get(session.id) ?? now,
          spokenFor.get(keyOf(session)) ?? -Infinity,
          now - listeningForMs,
        ),
      ]),
    );
    this.#lastSeen = lastSeen;
    this.#lastLook = now;
    return running.filter(({ id }) => now - (lastSeen.get(id) ?? now) >= this.#leaseMs);
  }
}

/** Only its own node's heartbeat counts for a session. */
const keyOf = ({ nodeId, id }: RunningSession): string => `${nodeId} ${id}`;

const lastSeenAt = (now: number, nodes: readonly LastHeartbeat[]): ReadonlyMap<string, number> =>
  new Map(
    nodes.flatMap(({ nodeId, sessions, ageMs }) =>
      sessions.map((id) => [keyOf({ nodeId, id }), now - ageMs] as const),
    ),
  );

export interface LostNodePorts {
  /** Sessions that should have a browser. */
  readonly runningSessions: () => Promise<readonly RunningSession[]>;
  readonly clock: Clock;
  /** The last heartbeats. */
  readonly registry: { list(): Promise<readonly LastHeartbeat[]>; listeningForMs(): Promise<number> };
  readonly sessions: SessionCommands;
  readonly logger: Logger;
}

/** Fails the sessions that were in no heartbeat for a whole lease. Creating ones have a lease of their own. */
export async function sweepLostNodes(ports: LostNodePorts, watch: NodeWatch): Promise<void> {
  const { runningSessions, clock, registry, sessions, logger } = ports;
  const running = await runningSessions();
  const [nodes, listeningForMs] = await Promise.all([registry.list(), registry.listeningForMs()]);
  const lost = watch.look(clock.now().getTime(), running, nodes, listeningForMs);
  await Promise.all(
    lost.map(async ({ id, nodeId }) => {
      try {
        await sessions.markNodeLost(id, nodeId, systemContext(`node_lost-${id}`, 'timer:lost-nodes'));
        logger.warn({ session: id, node: nodeId }, 'A session was lost with its node.');
      } catch (error) {
        logger.warn(
          { err: error, session: id },
          'A lost session could not be ended; it is retried at the next sweep.',
        );
      }
    }),
  );
}

/**
 * Ends the sessions of a node as soon as it is revoked. One that is not in the read model yet ends with the node's lease, as it is in no
 * heartbeat.
 */
export const revokedNodesManager = ({
  runningSessions,
  sessions,
}: Pick<LostNodePorts, 'runningSessions' | 'sessions'>): ProcessManager =>
  reactingTo('revoked-nodes', nodeEvents, {
    NodeRevoked: async ({ nodeId }, context) => {
      const running = await runningSessions();
      const lost = running.filter((session) => session.nodeId === nodeId);
      await Promise.all(lost.map(({ id }) => sessions.markNodeLost(id, nodeId, stepContext(context, id))));
    },
  });

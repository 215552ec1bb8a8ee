import type { Clock } from '../../platform/clock.ts';
import type { NodeId, SessionId } from '../../../contracts/ids.ts';
import type { NodeRow } from './registry.ts';

/** A place given away here that the node's own heartbeat does not show yet. */
interface Placement {
  readonly placedAt: number;
  session?: SessionId;
  settledAt?: number;
}

export interface Placements {
  /** The least loaded node with room, counting what was placed here since it last spoke; takes the place.
   * `askedAt` is a time before the rows were read. */
  choose(nodes: readonly NodeRow[], askedAt: Date): NodeId | undefined;
  /** The place of this session is being used. */
  started(node: NodeId, session: SessionId): void;
  settled(node: NodeId, session: SessionId): void;
  gone(node: NodeId, session: SessionId): void;
}

/** Milliseconds a place is held for a create that never comes. */
const unusedMs = 30_000;
/** Milliseconds a heartbeat may have been on its way: one that came this soon after a create may not know of it. */
const onItsWayMs = 250;

export function createPlacements(clock: Clock): Placements {
  const byNode = new Map<NodeId, Placement[]>();
  const of = (node: NodeId) => byNode.get(node) ?? [];
  const remove = (node: NodeId, drop: (placement: Placement) => boolean) =>
    void byNode.set(
      node,
      of(node).filter((placement) => !drop(placement)),
    );

  /** Those the node does not count itself yet. */
  const pending = ({ nodeId, sessions, ageMs }: NodeRow, now: number): number => {
    const spokeAt = now - ageMs - onItsWayMs;
    remove(nodeId, ({ placedAt, session, settledAt }) => {
      if (session === undefined) return placedAt < now - unusedMs;
      return sessions.includes(session) || (settledAt !== undefined && settledAt < spokeAt);
    });
    return of(nodeId).length;
  };

  return {
    choose: (nodes, askedAt) => {
      const loads = nodes
        .map((node) => ({ node, used: node.sessions.length + pending(node, askedAt.getTime()) }))
        .filter(({ node, used }) => !node.draining && used < node.capacity)
        .sort((a, b) => a.used / a.node.capacity - b.used / b.node.capacity);
      const chosen = loads[0]?.node.nodeId;
      if (chosen) byNode.set(chosen, [...of(chosen), { placedAt: askedAt.getTime() }]);
      return chosen;
    },
    started: (node, session) => {
      const placement = of(node).find((candidate) => candidate.session === undefined);
      if (placement) placement.session = session;
    },
    settled: (node, session) => {
      const placement = of(node).find((candidate) => candidate.session === session);
      if (placement) placement.settledAt = clock.now().getTime();
    },
    gone: (node, session) => remove(node, (placement) => placement.session === session),
  };
}

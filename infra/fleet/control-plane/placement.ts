import type { Clock } from '../../platform/clock.ts';
import type { NodeId, SessionId } from '../../../contracts/ids.ts';
import type { NodeRow } from './registry.ts';

/** A reservation on a node that the node's heartbeat does not show yet. */
interface Placement {
  readonly placedAt: number;
  session?: SessionId;
  settledAt?: number;
}

/** Milliseconds after which a reservation without a create expires. */
const unusedMs = 30_000;
/** Milliseconds that a heartbeat may be under way: one that arrives this soon after a create may not include it. */
const onItsWayMs = 250;

/** The load of a node. */
export interface NodeLoad {
  /** Maximal number of its sessions. */
  readonly capacity: number;
  /** Sessions on it, with those that are being placed on it. */
  readonly used: number;
}

/** Cost of a node by policy; the node with the lowest is chosen. */
const costs = {
  'least-loaded': ({ used, capacity }) => used / capacity,
  /** Prefers the node with the least room left. */
  pack: ({ used, capacity }) => capacity - used,
} as const satisfies Record<string, (node: NodeLoad) => number>;

export type Policy = keyof typeof costs;
export const policies = Object.keys(costs) as readonly Policy[];

/** The node for a session: of those with room the one with the lowest cost, of equal ones the first. */
export function nodeFor<N extends NodeLoad>(nodes: readonly N[], policy: Policy): N | undefined {
  const costOf = costs[policy];
  let chosen: { readonly node: N; readonly cost: number } | undefined;
  for (const node of nodes) {
    if (node.used >= node.capacity) continue;
    const cost = costOf(node);
    if (chosen === undefined || cost < chosen.cost) chosen = { node, cost };
  }
  return chosen?.node;
}

export class Placements {
  readonly #clock: Clock;
  readonly #byNode = new Map<NodeId, Placement[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Reserves room on the least loaded node that has any, including reservations since its last heartbeat. `askedAt` is a time before the
   * rows were read.
   */
  choose(nodes: readonly NodeRow[], askedAt: Date): NodeId | undefined {
    const placedAt = askedAt.getTime();
    const loads = nodes
      .map((node) => ({ ...node, used: node.sessions.length + this.#pending(node, placedAt) }))
      .filter(({ draining }) => !draining);
    const chosen = nodeFor(loads, 'least-loaded')?.nodeId;
    if (chosen) this.#byNode.set(chosen, [...this.#on(chosen), { placedAt }]);
    return chosen;
  }

  /** Removes the last unused reservation on the node. */
  withdraw(node: NodeId): void {
    const unused = this.#on(node).findLast(({ session }) => session === undefined);
    this.#keep(node, (placement) => placement !== unused);
  }

  /** Uses a reservation for this session. */
  started(node: NodeId, session: SessionId): void {
    const placement = this.#on(node).find((candidate) => candidate.session === undefined);
    if (placement) placement.session = session;
  }

  settled(node: NodeId, session: SessionId): void {
    const placement = this.#on(node).find((candidate) => candidate.session === session);
    if (placement) placement.settledAt = this.#clock.now().getTime();
  }

  gone(node: NodeId, session: SessionId): void {
    this.#keep(node, (placement) => placement.session !== session);
  }

  #on(node: NodeId): Placement[] {
    return this.#byNode.get(node) ?? [];
  }

  #keep(node: NodeId, isKept: (placement: Placement) => boolean): void {
    this.#byNode.set(node, this.#on(node).filter(isKept));
  }

  /** Number of placed sessions that the node's last heartbeat does not include yet. */
  #pending({ nodeId, sessions, ageMs }: NodeRow, now: number): number {
    const spokeAt = now - ageMs - onItsWayMs;
    this.#keep(nodeId, ({ placedAt, session, settledAt }) =>
      session === undefined
        ? placedAt >= now - unusedMs
        : !sessions.includes(session) && (settledAt === undefined || settledAt >= spokeAt),
    );
    return this.#on(nodeId).length;
  }
}

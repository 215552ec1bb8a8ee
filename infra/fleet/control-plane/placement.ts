import type { Clock } from '../../platform/clock.ts';
import type { NodeId, SessionId } from '../../../contracts/ids.ts';
import type { NodeRow } from './registry.ts';

/** Room on a node reserved here that the node's own heartbeat does not show yet. */
interface Placement {
  readonly placedAt: number;
  session?: SessionId;
  settledAt?: number;
}

/** Milliseconds a reservation is held for a create that never comes. */
const unusedMs = 30_000;
/** Milliseconds a heartbeat may have been on its way: one that came this soon after a create may not know of it. */
const onItsWayMs = 250;

/** A node as placement sees it. */
export interface NodeLoad {
  /** Sessions that it takes. */
  readonly capacity: number;
  /** Sessions that it has, or that are on their way to it. */
  readonly used: number;
}

/** By policy, what makes a node less preferred. */
const costs = {
  'least-loaded': ({ used, capacity }) => used / capacity,
  /** The node with the least room left. */
  pack: ({ used, capacity }) => capacity - used,
} as const satisfies Record<string, (node: NodeLoad) => number>;

export type Policy = keyof typeof costs;
export const policies = Object.keys(costs) as readonly Policy[];

/** The node that a session is placed on: of those with room the one that the policy prefers, of equal ones the first. */
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
   * Reserves room on the least loaded node that has any, counting what was placed here since it last spoke.
   * `askedAt` is a time before the rows were read.
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

  /** Room that was reserved last and is not going to be used. */
  withdraw(node: NodeId): void {
    const unused = this.#on(node).findLast(({ session }) => session === undefined);
    this.#keep(node, (placement) => placement !== unused);
  }

  /** A reservation is used for this session. */
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

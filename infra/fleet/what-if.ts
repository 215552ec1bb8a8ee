import { nodeFor, type NodeLoad, type Policy } from './control-plane/placement.ts';

/** A session that asks for room on a fleet, from its request to its end; unix milliseconds. */
export interface Arrival {
  readonly at: number;
  readonly until: number;
}

/** Nodes that are lost for good at a time, in Unix milliseconds. */
export interface Loss {
  readonly nodes: number;
  readonly at: number;
}

export interface SupposedFleet {
  /** Of each node, the sessions that it takes. */
  readonly capacities: readonly number[];
  readonly policy: Policy;
  readonly losses: readonly Loss[];
}

/** Unix milliseconds; `to` is exclusive. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Why a session found no room: every node that is left is full, or none is left. */
export type RefusalReason = 'full' | 'no_nodes';

export interface Hour {
  /** When it begins, unix milliseconds. Of the first and the last, a part only may lie in the window. */
  readonly hour: number;
  /** The most sessions that ran at once. */
  used: number;
  /** What the fleet took as the hour began. */
  readonly slots: number;
}

export interface WhatIf {
  readonly sessions: number;
  readonly refused: Readonly<Partial<Record<RefusalReason, number>>>;
  /** Sessions that ran on nodes as they were lost. */
  readonly lost: number;
  readonly occupancy: readonly Hour[];
}

/**
 * Places the sessions of a window on a supposed fleet, by the choice that places real ones. Those that arrived before it ask for
 * room at its beginning, in the order in which they came. At one moment ends come first, then losses, then arrivals. A session that is refused or
 * lost does not come again, and a loss takes the nodes with the most sessions.
 */
export function whatIf(arrivals: readonly Arrival[], fleet: SupposedFleet, { from, to }: Window): WhatIf {
  const asking = arrivals
    .filter(({ at, until }) => at < to && (at >= from || until > from))
    .sort((one, other) => one.at - other.at);
  const simulation = new Simulation(fleet, from);
  const happenings: Happening[] = fleet.losses.map(({ nodes, at }) => ({
    ...{ at, order: order.loss, happens: () => simulation.lose(nodes) },
  }));
  for (const { at: asked, until } of asking) {
    const at = Math.max(asked, from);
    const session: PlacedSession = { node: undefined };
    happenings.push({ at, order: order.arrival, happens: () => simulation.place(session) });
    // However short it was, it took room.
    const end = Math.max(until, at + 1);
    happenings.push({ at: end, order: order.end, happens: () => simulation.end(session) });
  }
  happenings.sort((one, other) => one.at - other.at || one.order - other.order);
  for (const { at, order: kind, happens } of happenings) {
    if (at >= to) break;
    // A session that ends at the beginning of an hour does not count in that hour.
    simulation.reach(kind === order.end ? at - 1 : at);
    happens();
  }
  simulation.reach(to - 1);
  const { refused, lost, occupancy } = simulation;
  return { sessions: asking.length, refused, lost, occupancy };
}

const order = { end: 0, loss: 1, arrival: 2 } as const;

interface Happening {
  /** Unix milliseconds. */
  readonly at: number;
  readonly order: number;
  readonly happens: () => void;
}

interface SupposedNode extends NodeLoad {
  used: number;
  isLost: boolean;
}

interface PlacedSession {
  node: SupposedNode | undefined;
}

const hourMs = 3_600_000;

class Simulation {
  readonly refused: Partial<Record<RefusalReason, number>> = {};
  readonly occupancy: Hour[] = [];
  lost = 0;
  readonly #policy: Policy;
  #nodes: SupposedNode[];
  #used = 0;
  #nextHour: number;

  constructor({ capacities, policy }: SupposedFleet, from: number) {
    this.#policy = policy;
    this.#nodes = capacities.map((capacity) => ({ capacity, used: 0, isLost: false }));
    this.#nextHour = Math.floor(from / hourMs) * hourMs;
  }

  /** Begins every hour up to a moment. */
  reach(moment: number): void {
    for (; this.#nextHour <= moment; this.#nextHour += hourMs) {
      const slots = this.#nodes.reduce((sum, { capacity }) => sum + capacity, 0);
      this.occupancy.push({ hour: this.#nextHour, used: this.#used, slots });
    }
  }

  place(session: PlacedSession): void {
    const node = nodeFor(this.#nodes, this.#policy);
    if (node === undefined) {
      const reason = this.#nodes.length > 0 ? 'full' : 'no_nodes';
      this.refused[reason] = (this.refused[reason] ?? 0) + 1;
      return;
    }
    session.node = node;
    node.used += 1;
    this.#used += 1;
    const hour = this.occupancy.at(-1);
    if (hour) hour.used = Math.max(hour.used, this.#used);
  }

  end({ node }: PlacedSession): void {
    if (node === undefined || node.isLost) return;
    node.used -= 1;
    this.#used -= 1;
  }

  lose(nodes: number): void {
    const fullest = [...this.#nodes].sort((one, other) => other.used - one.used).slice(0, nodes);
    for (const node of fullest) {
      node.isLost = true;
      this.lost += node.used;
      this.#used -= node.used;
    }
    this.#nodes = this.#nodes.filter(({ isLost }) => !isLost);
  }
}

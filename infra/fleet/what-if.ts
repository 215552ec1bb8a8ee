import { hourMs } from '../../contracts/durations.ts';
import { nodeFor, type NodeLoad, type Policy } from './control-plane/placement.ts';

/** A session, from its request to its end, in Unix milliseconds. */
export interface Arrival {
  readonly at: number;
  readonly until: number;
}

/** Nodes that are lost permanently at a time, in Unix milliseconds. */
export interface Loss {
  readonly nodes: number;
  readonly at: number;
}

export interface SupposedFleet {
  /** Maximal number of sessions for each node. */
  readonly capacities: readonly number[];
  readonly policy: Policy;
  readonly losses: readonly Loss[];
}

/** In Unix milliseconds; `to` is exclusive. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Why a session was refused: every remaining node is full, or none remains. */
export type RefusalReason = 'full' | 'no_nodes';

export interface Hour {
  /** Start of the hour, in Unix milliseconds. The first and the last may lie only partly in the window. */
  readonly hour: number;
  /** The maximal number of concurrent sessions. */
  used: number;
  /** Capacity of the fleet at the start of the hour. */
  readonly slots: number;
}

export interface WhatIf {
  readonly sessions: number;
  readonly refused: Readonly<Partial<Record<RefusalReason, number>>>;
  /** Sessions that ran on nodes when they were lost. */
  readonly lost: number;
  readonly occupancy: readonly Hour[];
}

/**
 * Places the sessions of a window on a hypothetical fleet, with the function that places real ones. Sessions that run at its beginning are
 * placed then, in the order of their requests. At one moment ends come first, then losses, then arrivals. A refused or lost session is not
 * repeated, and a loss takes the nodes with the most sessions.
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
    // Even the shortest session took room.
    const end = Math.max(until, at + 1);
    happenings.push({ at: end, order: order.end, happens: () => simulation.end(session) });
  }
  happenings.sort((one, other) => one.at - other.at || one.order - other.order);
  for (const { at, order: kind, happens } of happenings) {
    if (at >= to) break;
    // A session that ends at the start of an hour does not count in that hour.
    simulation.reach(kind === order.end ? at - 1 : at);
    happens();
  }
  simulation.reach(to - 1);
  const { refused, lost, occupancy } = simulation;
  return { sessions: asking.length, refused, lost, occupancy };
}

const order = { end: 0, loss: 1, arrival: 2 } as const;

interface Happening {
  /** In Unix milliseconds. */
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

  /** Records every hour that starts up to a moment. */
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

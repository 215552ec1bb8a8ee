import type { NodeId, SessionId } from '../../../contracts/ids.ts';

export interface RunningSession {
  readonly id: SessionId;
  readonly nodeId: NodeId;
}

/** What a node said of itself `ageMs` milliseconds ago. */
export interface Heard {
  readonly nodeId: NodeId;
  readonly sessions: readonly SessionId[];
  readonly ageMs: number;
}

/**
 * Tells which sessions no node has spoken for during a whole lease. Only time that was watched counts: after an outage
 * of the registry, of the watcher, or of all who take heartbeats, every node gets a lease's time to be heard again before
 * anything is lost.
 */
export class NodeWatch {
  readonly #leaseMs: number;
  readonly #longestGapMs: number;
  /** When a session was last heard of, or first watched for; milliseconds since the epoch. */
  #lastHeard: ReadonlyMap<SessionId, number> = new Map();
  #lastLook = -Infinity;

  /** A pause between two looks that is longer than `longestGapMs` starts the watch anew. */
  constructor(leaseMs: number, longestGapMs: number) {
    this.#leaseMs = leaseMs;
    this.#longestGapMs = longestGapMs;
  }

  /**
   * The sessions to be counted as lost at `now`, milliseconds since the epoch. `listeningForMs` is how long heartbeats have
   * been taken without a break.
   */
  look(
    now: number,
    running: readonly RunningSession[],
    nodes: readonly Heard[],
    listeningForMs = Infinity,
  ): readonly RunningSession[] {
    const isContinued = Math.abs(now - this.#lastLook) <= this.#longestGapMs;
    const before = isContinued ? this.#lastHeard : new Map<SessionId, number>();
    const spokenFor = heardAt(now, nodes);
    const lastHeard = new Map(
      running.map((session) => [
        session.id,
        Math.max(
          before.get(session.id) ?? now,
          spokenFor.get(keyOf(session)) ?? -Infinity,
          now - listeningForMs,
        ),
      ]),
    );
    this.#lastHeard = lastHeard;
    this.#lastLook = now;
    return running.filter(({ id }) => now - (lastHeard.get(id) ?? now) >= this.#leaseMs);
  }
}

/** A session is spoken for by its own node only. */
const keyOf = ({ nodeId, id }: RunningSession): string => `${nodeId} ${id}`;

const heardAt = (now: number, nodes: readonly Heard[]): ReadonlyMap<string, number> =>
  new Map(
    nodes.flatMap(({ nodeId, sessions, ageMs }) =>
      sessions.map((id) => [keyOf({ nodeId, id }), now - ageMs] as const),
    ),
  );

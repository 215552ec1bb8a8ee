import { setInterval } from 'node:timers';
import { nodeRoutes } from '../../../contracts/fleet/protocol.ts';
import type { NodeId } from '../../../contracts/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Reach } from './node-call.ts';
import { tunnelUrl } from '../tunnel/address.ts';
import type { NodeTunnels } from '../tunnel/node-agent.ts';
import type { NodeRegistry, NodeRow } from './registry.ts';

export interface SilenceOptions {
  readonly clock: Clock;
  readonly reach: Reach;
  readonly registry: Pick<NodeRegistry, 'list' | 'listeningForMs'>;
  readonly tunnels?: Pick<NodeTunnels, 'has'> | undefined;
  /** Milliseconds without a heartbeat after which a node gets no new sessions. */
  readonly liveMs?: number;
  /** Milliseconds between two heartbeats of a node. */
  readonly heartbeatMs?: number;
}

/** Timeout in milliseconds of the status call that checks a node. */
const knockMs = 1_500;
const lookEveryMs = 1_000;

/**
 * Detects nodes that do not answer but do not count as silent yet. A node that missed a heartbeat is called before a
 * session is placed on it. If a node becomes silent during a create, the wait for it ends when it counts as silent.
 */
export class Silence {
  readonly #options: SilenceOptions & Required<Pick<SilenceOptions, 'liveMs' | 'heartbeatMs'>>;
  /** Time of the last failed check, in Unix milliseconds. */
  readonly #foundAt = new Map<NodeId, number>();

  constructor(options: SilenceOptions) {
    this.#options = { liveMs: 15_000, heartbeatMs: 2_000, ...options };
  }

  /** Nodes with a recent heartbeat. */
  async live(): Promise<readonly NodeRow[]> {
    const { registry, liveMs } = this.#options;
    return (await registry.list()).filter(({ ageMs }) => ageMs < liveMs);
  }

  /** True if the last check failed and no heartbeat has arrived since. */
  isSilent({ nodeId, ageMs }: NodeRow): boolean {
    return this.#options.clock.now().getTime() - ageMs < (this.#foundAt.get(nodeId) ?? -Infinity);
  }

  /** Checks whether a node answers. Only a node that has missed a heartbeat, or has no open tunnel, is called. */
  async answers(row: NodeRow): Promise<boolean> {
    const { clock, reach, heartbeatMs } = this.#options;
    const { nodeId, ageMs } = row;
    if (ageMs < 1.5 * heartbeatMs && !this.#isCutOff(row)) return true;
    try {
      const signal = AbortSignal.timeout(knockMs);
      const reply = await reach(nodeId, nodeRoutes.status, '', { body: null, signal });
      await reply.body.dump();
      this.#foundAt.delete(nodeId);
      return true;
    } catch {
      this.#foundAt.set(nodeId, clock.now().getTime());
      return false;
    }
  }

  #isCutOff({ nodeId, url }: NodeRow): boolean {
    return url === tunnelUrl(nodeId) && this.#options.tunnels?.has(nodeId) === false;
  }

  /** Aborts once the node counts as silent, and heartbeats have been taken for as long. */
  watch(node: NodeId): { readonly signal: AbortSignal; readonly stop: () => void } {
    const silent = new AbortController();
    const { registry, liveMs } = this.#options;
    const look = async () => {
      const [rows, listeningForMs] = await Promise.all([registry.list(), registry.listeningForMs()]);
      const ageMs = rows.find(({ nodeId }) => nodeId === node)?.ageMs ?? 0;
      if (Math.min(ageMs, listeningForMs) >= liveMs) silent.abort();
    };
    // A failed check is repeated a second later.
    const timer = setInterval(() => void look().catch(() => undefined), lookEveryMs);
    return { signal: silent.signal, stop: () => clearInterval(timer) };
  }
}

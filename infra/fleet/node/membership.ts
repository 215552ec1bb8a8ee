import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { NodeStatus, Register, Registered } from '../../../contracts/fleet/protocol.ts';
import type { NodeId } from '../../../contracts/ids.ts';
import { ControlPlaneRefused, type ControlPlane } from './control-plane.ts';
import type { Sessions } from './sessions.ts';

export interface MembershipOptions {
  readonly controlPlane: ControlPlane;
  readonly body: Register;
  readonly status: () => NodeStatus;
  readonly sessions: Sessions;
  readonly logger: Logger;
  /** Milliseconds between attempts to register. */
  readonly retryMs: number;
}

export interface Membership {
  /** Resolves once the control plane has taken the node; never when the node stops before. */
  readonly registered: Promise<NodeId>;
  /** Stops beating, after a last heartbeat that shows the node's present status. */
  leave(): Promise<void>;
}

/** Registers, beats, obeys the replies; registers again when the control plane has forgotten the node. */
export function joinControlPlane(options: MembershipOptions): Membership {
  const { controlPlane, body, status, sessions, logger, retryMs } = options;
  const stopping = new AbortController();
  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  let known: Registered | undefined;
  let announce: (id: NodeId) => void = () => undefined;
  const registered = new Promise<NodeId>((resolve) => {
    announce = resolve;
  });

  const register = async (): Promise<number> => {
    try {
      known = await controlPlane.register(body);
      announce(known.node_id);
      return 0;
    } catch (error) {
      logger.warn({ err: error }, 'The control plane has not taken this node yet.');
      return retryMs;
    }
  };
  const beat = async ({ node_id, heartbeat_ms }: Registered): Promise<number> => {
    try {
      const reply = await controlPlane.heartbeat({ node_id, url: body.url, status: status() });
      if (stopping.signal.aborted) return 0;
      sessions.setDraining(reply.draining);
      for (const session of reply.destroy) void sessions.destroy(session);
    } catch (error) {
      logger.warn({ err: error }, 'A heartbeat failed.');
      if (error instanceof ControlPlaneRefused && error.status === 401) known = undefined;
    }
    return heartbeat_ms;
  };
  const run = async () => {
    while (!stopping.signal.aborted) await pause(known ? await beat(known) : await register());
  };
  const beating = run();

  return {
    registered,
    leave: async () => {
      stopping.abort();
      await beating;
      if (known) await beat(known);
    },
  };
}

import type { Clock } from '../../../infra/platform/clock.ts';
import type { Logger } from 'pino';
import { systemContext } from '../../engine/context.ts';
import type { SessionCommands } from '../../session/index.ts';
import type { Heard, NodeWatch, RunningSession } from './node-watch.ts';

export interface LostNodePorts {
  /** The sessions whose browsers should be there. */
  readonly runningSessions: () => Promise<readonly RunningSession[]>;
  readonly clock: Clock;
  /** The last heartbeats. */
  readonly registry: { list(): Promise<readonly Heard[]>; listeningForMs(): Promise<number> };
  readonly sessions: SessionCommands;
  readonly logger: Logger;
}

/** Errors the sessions whose browsers nobody has spoken for during the lease. Creating ones have a lease of their own. */
export async function sweepLostNodes(ports: LostNodePorts, watch: NodeWatch): Promise<void> {
  const { runningSessions, clock, registry, sessions, logger } = ports;
  const running = await runningSessions();
  const [nodes, listeningForMs] = await Promise.all([registry.list(), registry.listeningForMs()]);
  const lost = watch.look(clock.now().getTime(), running, nodes, listeningForMs);
  await Promise.all(
    lost.map(async ({ id, nodeId }) => {
      try {
        await sessions.markNodeLost(id, nodeId, systemContext(`node_lost-${id}`));
        logger.warn({ session: id, node: nodeId }, 'A session was lost with its node.');
      } catch (error) {
        logger.warn({ err: error, session: id }, 'A lost session could not be ended and is tried again.');
      }
    }),
  );
}

import type pg from 'pg';
import type { NodeId, SessionId } from '../../contracts/ids.ts';
import type { Clock } from '../../infra/clock.ts';
import type { Logger } from 'pino';
import { systemCause } from '../causes.ts';
import type { SessionCommands } from '../sessions/index.ts';
import type { Heard, NodeWatch } from './node-watch.ts';

export interface LostNodePorts {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  /** The last heartbeats. */
  readonly registry: { list(): Promise<readonly Heard[]>; listeningForMs(): Promise<number> };
  readonly sessions: SessionCommands;
  readonly logger: Logger;
}

/** Errors the sessions whose browsers nobody has spoken for during the lease. Creating ones have a lease of their own. */
export async function sweepLostNodes(ports: LostNodePorts, watch: NodeWatch): Promise<void> {
  const { pool, clock, registry, sessions, logger } = ports;
  const { rows } = await pool.query<{ id: SessionId; node_id: NodeId }>(
    `select id, node_id from read_model.sessions where status in ('ready', 'busy') and node_id is not null`,
  );
  const [nodes, listeningForMs] = await Promise.all([registry.list(), registry.listeningForMs()]);
  const running = rows.map(({ id, node_id }) => ({ id, nodeId: node_id }));
  const lost = watch.look(clock.now().getTime(), running, nodes, listeningForMs);
  await Promise.all(
    lost.map(async ({ id, nodeId }) => {
      try {
        await sessions.markNodeLost(id, nodeId, systemCause(`node_lost-${id}`));
        logger.warn({ session: id, node: nodeId }, 'a session was lost with its node');
      } catch (error) {
        logger.warn({ err: error, session: id }, 'a lost session could not be ended and is tried again');
      }
    }),
  );
}

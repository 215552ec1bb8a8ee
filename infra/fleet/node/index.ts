import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { NodeStatus } from '../../../contracts/fleet/protocol.ts';
import type { NodeId, SessionId } from '../../../contracts/ids.ts';
import { systemClock, type Clock } from '../../platform/clock.ts';
import { createControlPlane } from './control-plane.ts';
import { createDispatchMemory } from './dispatch-memory.ts';
import type { BrowserReport, Driver } from './driver.ts';
import { openDriverLog } from './driver-log.ts';
import { nodeCredential } from './identity.ts';
import { joinControlPlane } from './membership.ts';
import { startNodeServer } from './server.ts';
import { createSessions, type Sessions, type SessionsOptions } from './sessions.ts';

export interface NodeOptions {
  readonly name: string;
  /** Keeps the node's credential: the same directory is the same node. */
  readonly dataDir: string;
  /** Belongs to the node from here on: closed when it drains. */
  readonly driver: Driver;
  /** Browsers at once. */
  readonly capacity: number;
  readonly controlPlaneUrl: string;
  readonly joinToken: string;
  readonly logger: Logger;
  readonly host?: string;
  readonly port?: number;
  /** Where the control plane reaches this node; `http://host:port` unless something stands between. */
  readonly advertisedUrl?: string;
  readonly clock?: Clock;
  /** A file of JSON lines, one per thing that reached the driver. */
  readonly driverLog?: string;
  /** Milliseconds beyond an operation's timeout after which its browser is given up. */
  readonly operationGraceMs?: number;
  /** Bytes of JSON a result may have. */
  readonly maxResultBytes?: number;
  /** Milliseconds between attempts to register. */
  readonly registerRetryMs?: number;
}

export interface RunningNode {
  readonly url: string;
  /** Resolves once the control plane has taken the node. */
  readonly registered: Promise<NodeId>;
  status(): NodeStatus;
  /** Takes nothing new, ends the browsers, tells the control plane of each (for at most `limitMs`) and stops. */
  drain(limitMs?: number): Promise<void>;
}

/** Starts a node: it serves the fleet protocol at once and keeps asking the control plane to take it. */
export async function startNode(options: NodeOptions): Promise<RunningNode> {
  const { name, driver, capacity, logger, joinToken, clock = systemClock } = options;
  const { host = '127.0.0.1', port = 0 } = options;
  const credential = nodeCredential(options.dataDir);
  const controlPlane = createControlPlane({ url: options.controlPlaneUrl, joinToken, credential, logger });
  const tell = (session_id: SessionId, told: BrowserReport | { kind: 'session_died' }) =>
    controlPlane.report({ ...told, report_id: randomUUID(), session_id, at: clock.now().toISOString() });
  const reportDeath = (session: SessionId) => tell(session, { kind: 'session_died' });
  const sessions = openSessions(options, clock, { onDeath: reportDeath, onReport: tell });
  const status = () => statusOf(driver, capacity, sessions);
  const memory = createDispatchMemory({ clock });
  const server = await startNodeServer({ host, port, credential, sessions, memory, status, logger });
  const url = options.advertisedUrl ?? `http://${host}:${server.port}`;
  const membership = joinControlPlane({
    controlPlane,
    body: { name, url, driver: driver.name, capacity, credential },
    status,
    sessions,
    logger,
    retryMs: options.registerRetryMs ?? 1_000,
  });

  return {
    url,
    registered: membership.registered,
    status,
    drain: async (limitMs = 5_000) => {
      sessions.setDraining(true);
      await membership.leave();
      const ended = sessions.list();
      await Promise.all(ended.map((session) => sessions.destroy(session)));
      ended.forEach(reportDeath);
      if (!(await controlPlane.flush(limitMs))) logger.warn('Not every report was taken before the end.');
      await controlPlane.close();
      await server.close();
      await driver.close();
    },
  };
}

const openSessions = (
  options: NodeOptions,
  clock: Clock,
  listeners: Pick<SessionsOptions, 'onDeath' | 'onReport'>,
): Sessions =>
  createSessions({
    ...listeners,
    driver: options.driver,
    capacity: options.capacity,
    logger: options.logger,
    driverLog: openDriverLog(options.driverLog, clock),
    graceMs: options.operationGraceMs ?? 14_000,
    maxResultBytes: options.maxResultBytes ?? 32 * 1024 * 1024,
  });

const statusOf = (driver: Driver, capacity: number, sessions: Sessions): NodeStatus => ({
  driver: driver.name,
  capacity,
  sessions: sessions.list(),
  draining: sessions.draining,
});

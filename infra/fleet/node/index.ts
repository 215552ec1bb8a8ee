import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { NodeStatus } from '../../../contracts/fleet/protocol.ts';
import type { NodeId, SessionId } from '../../../contracts/ids.ts';
import { systemClock, type Clock } from '../../platform/clock.ts';
import { createControlPlane } from './control-plane.ts';
import type { BrowserReport, Driver } from './driver.ts';
import { openDriverLog } from './driver-log.ts';
import { nodeCredential } from './identity.ts';
import { joinControlPlane } from './membership.ts';
import { startNodeServer } from './server.ts';
import { Sessions } from './sessions.ts';

export interface NodeOptions {
  readonly name: string;
  /** Keeps the node's credential: the same directory is the same node. Sessions' uploads are in it too, while they live. */
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
  const { operationGraceMs: graceMs = 14_000, maxResultBytes = 32 * 1024 * 1024 } = options;
  const credential = nodeCredential(options.dataDir);
  const controlPlane = createControlPlane({ url: options.controlPlaneUrl, joinToken, credential, logger });
  const tell = (session_id: SessionId, told: BrowserReport | { kind: 'session_died' }) =>
    controlPlane.report({ ...told, report_id: randomUUID(), session_id, at: clock.now().toISOString() });
  const onDeath = (session: SessionId) => tell(session, { kind: 'session_died' });
  const sessions = new Sessions({
    ...options,
    uploadsDir: await emptyUploads(options.dataDir),
    driverLog: openDriverLog(options.driverLog, clock),
    ...{ graceMs, maxResultBytes, onDeath, onReport: tell },
  });
  const server = await startNodeServer({ ...options, clock, credential, sessions });
  const url = options.advertisedUrl ?? server.url;
  const membership = joinControlPlane({
    controlPlane,
    body: { name, url, driver: driver.name, capacity, credential },
    sessions,
    logger,
    retryMs: options.registerRetryMs ?? 1_000,
  });

  return {
    url,
    registered: membership.registered,
    status: () => sessions.status(),
    drain: async (limitMs = 5_000) => {
      sessions.draining = true;
      await membership.leave();
      const ended = sessions.list();
      await Promise.all(ended.map((session) => sessions.destroy(session)));
      ended.forEach(onDeath);
      if (!(await controlPlane.flush(limitMs))) logger.warn('Not every report was taken before the end.');
      await controlPlane.close();
      await server.close();
      await driver.close();
    },
  };
}

/** Where uploads go. What is there was left by a run that did not end well: its sessions are gone. */
async function emptyUploads(dataDir: string): Promise<string> {
  const directory = join(dataDir, 'uploads');
  await rm(directory, { recursive: true, force: true });
  return directory;
}

import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { NodeStatus, Register } from '../../../contracts/fleet/protocol.ts';
import type { NodeId, SessionId } from '../../../contracts/ids.ts';
import { systemClock, type Clock } from '../../platform/clock.ts';
import type { InternalTls } from '../../internal-tls/index.ts';
import { createControlPlane } from './control-plane.ts';
import type { BrowserReport, Driver } from './driver.ts';
import { openDriverLog } from './driver-log.ts';
import { createFirstBrowser } from './first-browser.ts';
import { nodeCredential } from './identity.ts';
import { joinControlPlane } from './membership.ts';
import { Saves, type SavesOptions } from './saves.ts';
import { startNodeServer } from './server.ts';
import { Sessions } from './sessions.ts';
import { createStateTransfer } from './state-transfer.ts';

export interface NodeOptions {
  readonly name: string;
  /** Keeps the node's credential: the same directory is the same node. Sessions' uploads and captures are in it too, while they live. */
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
  /** Of every connection between this node and the control plane. Default plain HTTP. */
  readonly tls?: InternalTls | undefined;
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
  /** Where clients can watch the browsers of this node, and what their tokens are signed with. */
  readonly video?: Register['video'];
  /** Where parts of the installation listen on this machine, as `host:port`. */
  readonly internal?: readonly string[];
  /** Called with those of all machines, before the first session comes and whenever the control plane answers. */
  readonly onInternal?: (places: readonly string[]) => void;
  /** How states of profiles are saved. */
  readonly saves?: Pick<SavesOptions, 'atOnce' | 'limitMs' | 'backOff'>;
}

export interface RunningNode {
  readonly url: string;
  /** Resolves once the control plane has taken the node. */
  readonly registered: Promise<NodeId>;
  /** Resolves once a browser has started here; rejects with what stood in the way of the last try. */
  browsers(): Promise<void>;
  status(): NodeStatus;
  /**
   * Takes nothing new, ends the browsers, tells the control plane of each and stops. The sessions have failed, so their states are
   * not saved; those that are being saved are, for at most `limitMs`.
   */
  drain(limitMs?: number): Promise<void>;
}

/**
 * Starts a node: it serves the fleet protocol at once and, when a browser has started, keeps asking the control plane to take
 * it.
 */
export async function startNode(options: NodeOptions): Promise<RunningNode> {
  const { driver, logger, clock = systemClock } = options;
  const { operationGraceMs: graceMs = 14_000, maxResultBytes = 32 * 1024 * 1024 } = options;
  const credential = nodeCredential(options.dataDir);
  const { controlPlane, states, saves, hangUp } = openCalls(options, credential);
  const tell = (session_id: SessionId, report: BrowserReport | { kind: 'session_died' }) =>
    controlPlane.report({ ...report, report_id: randomUUID(), session_id, at: clock.now().toISOString() });
  const onDeath = (session: SessionId) => tell(session, { kind: 'session_died' });
  const sessions = new Sessions({
    ...options,
    ...{ states, saves },
    uploadsDir: await emptied(options.dataDir, 'uploads'),
    capturesDir: await emptied(options.dataDir, 'captures'),
    driverLog: openDriverLog(options.driverLog, clock),
    ...{ graceMs, maxResultBytes, onDeath, onReport: tell },
  });
  const server = await startNodeServer({ ...options, clock, credential, sessions });
  const url = options.advertisedUrl ?? server.url;
  const retryMs = options.registerRetryMs ?? 1_000;
  const body = registrationOf(options, url, credential);
  const firstBrowser = createFirstBrowser(driver, logger);
  const membership = joinControlPlane({ ...options, controlPlane, body, sessions, firstBrowser, retryMs });

  return {
    url,
    registered: membership.registered,
    browsers: firstBrowser.outcome,
    status: () => sessions.status(),
    drain: async (limitMs = 5_000) => {
      sessions.draining = true;
      await membership.leave();
      const ended = sessions.list();
      await Promise.all(ended.map((session) => sessions.discard(session)));
      ended.forEach(onDeath);
      await hangUp(limitMs);
      await server.close();
      await driver.close();
    },
  };
}

/** What the node says of itself once. */
const registrationOf = (
  { name, driver, capacity, video, internal }: NodeOptions,
  url: string,
  credential: string,
): Register => ({
  ...{ name, url, driver: driver.name, capacity, credential },
  ...(video && { video }),
  ...(internal && { internal: [...internal] }),
});

/** The node's calls to the control plane. */
function openCalls(options: NodeOptions, credential: string) {
  const { controlPlaneUrl: url, joinToken, logger, tls } = options;
  const controlPlane = createControlPlane({ url, joinToken, credential, logger, tls });
  const states = createStateTransfer({ url, credential, tls });
  const saves = new Saves({ transfer: states, logger, ...options.saves });
  /** Reports and states that are under way are sent first, for at most so long. */
  const hangUp = async (limitMs: number) => {
    const [flushed] = await Promise.all([controlPlane.flush(limitMs), saves.finish(limitMs)]);
    if (!flushed) logger.warn('Not every report was taken before the end.');
    await Promise.all([controlPlane.close(), states.close()]);
  };
  return { controlPlane, states, saves, hangUp };
}

/** Where files of sessions go. What is there was left by a run that did not end well: its sessions are gone. */
async function emptied(dataDir: string, name: 'uploads' | 'captures'): Promise<string> {
  const directory = join(dataDir, name);
  await rm(directory, { recursive: true, force: true });
  return directory;
}

import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { NodeStatus, Register } from '../../../contracts/fleet/protocol.ts';
import type { NodeId, SessionId } from '../../../contracts/ids.ts';
import { systemClock, type Clock } from '../../platform/clock.ts';
import type { InternalTls } from '../../internal-tls/index.ts';
import { createControlPlane } from './control-plane.ts';
import type { BrowserReport, Driver } from './driver.ts';
import { openDriverLog } from './driver-log.ts';
import { createFirstBrowser } from './first-browser.ts';
import { openControlLine, openHands, type HandsOptions } from '../hands/index.ts';
import type { IceOptions } from '../video/ice.ts';
import { VideoServer } from '../video/server.ts';
import { Dialling } from '../tunnel/dialling.ts';
import { nodeCredential, videoKeyOf } from './identity.ts';
import { joinControlPlane } from './membership.ts';
import { Saves, type SavesOptions } from './saves.ts';
import { startNodeServer } from './server.ts';
import { Sessions } from './sessions.ts';
import type { SessionsOptions } from './sessions-options.ts';
import { createStateTransfer } from './state-transfer.ts';

export interface NodeOptions {
  readonly name: string;
  /** Directory of the node's credential, which identifies the node, and of uploads and captures of running sessions. */
  readonly dataDir: string;
  /** Owned by the node, which closes it on drain. */
  readonly driver: Driver;
  /** Maximal number of browsers. */
  readonly capacity: number;
  readonly controlPlaneUrl: string;
  readonly joinToken: string;
  readonly logger: Logger;
  /** `dial`: the control plane cannot reach this node, which therefore keeps tunnels open to it. Default `listen`. */
  readonly connect?: 'listen' | 'dial';
  readonly host?: string;
  readonly port?: number;
  /** TLS of every connection between this node and the control plane. Default plain HTTP. */
  readonly tls?: InternalTls | undefined;
  /** URL by which the control plane calls this node; default `http://host:port`. */
  readonly advertisedUrl?: string;
  readonly clock?: Clock;
  /** Path of a file of JSON lines, one for each call of the driver. */
  readonly driverLog?: string;
  /** Milliseconds beyond an operation's timeout after which its browser is given up. */
  readonly operationGraceMs?: number;
  /** Maximal bytes of a result as JSON. */
  readonly maxResultBytes?: number;
  /** Milliseconds between attempts to register. */
  readonly registerRetryMs?: number;
  /** Where clients can watch this node's browsers on the operator's video server, and the key of its tokens. */
  readonly video?: Register['video'];
  /** How this node shows its browsers itself; undefined if it does not. */
  readonly liveView?: LiveViewOptions | undefined;
  /** Addresses, as `host:port`, on which parts of the installation listen on this machine. */
  readonly internal?: readonly string[];
  /** Called with the addresses of all machines, before the first session and after each answer of the control plane. */
  readonly onInternal?: (places: readonly string[]) => void;
  /** How states of profiles are saved. */
  readonly saves?: Pick<SavesOptions, 'atOnce' | 'limitMs' | 'backOff'>;
}

export interface LiveViewOptions {
  /** URL by which clients join: the gateway's. */
  readonly wsUrl: string;
  readonly ice: IceOptions;
  /** Called for each input event of a person, with the reason if it was refused, and the milliseconds until the browser had it. */
  readonly onInput?: HandsOptions['onInput'];
}

export interface RunningNode {
  readonly url: string;
  /** Resolves once the control plane has accepted the node. */
  readonly registered: Promise<NodeId>;
  /** Resolves once a browser has started here; rejects with the reason of the last failed attempt. */
  browsers(): Promise<void>;
  status(): NodeStatus;
  /** Undefined if this node does not show its browsers itself. */
  readonly video: Pick<VideoServer, 'use'> | undefined;
  /** Undefined if the control plane calls this node directly. */
  readonly tunnels: Pick<Dialling, 'size'> | undefined;
  /** Has nothing new placed here. Resolves when every session has ended and is saved, after at most `limitMs`. */
  release(limitMs: number): Promise<void>;
  /**
   * Accepts nothing new, ends the browsers, reports each to the control plane and stops. Their sessions fail, so their states are not
   * saved; running saves continue for at most `limitMs`.
   */
  drain(limitMs?: number): Promise<void>;
}

/** Starts a node: it serves the fleet protocol at once and, when a browser has started, registers with the control plane until accepted. */
export async function startNode(options: NodeOptions): Promise<RunningNode> {
  const { driver, logger, clock = systemClock } = options;
  const { operationGraceMs: graceMs = 14_000, maxResultBytes = 32 * 1024 * 1024 } = options;
  const credential = await nodeCredential(options.dataDir);
  const { controlPlane, states, saves, hangUp } = openCalls(options, credential);
  const tell = (session_id: SessionId, report: BrowserReport | { kind: 'session_died' }) =>
    controlPlane.report({ ...report, report_id: randomUUID(), session_id, at: clock.now().toISOString() });
  const onDeath = (session: SessionId) => tell(session, { kind: 'session_died' });
  const parts = { states, saves, graceMs, maxResultBytes, clock, onDeath, onReport: tell };
  const onClosing = (session: SessionId) => void video?.server.ended(session);
  const sessions = await openSessions(options, { ...parts, onClosing });
  const video = openVideo(options, credential, sessions);
  const server = await startNodeServer({ ...options, clock, credential, sessions, video: video?.server });
  const tunnels = openTunnels(options, credential, server);
  const url = tunnels ? server.url : (options.advertisedUrl ?? server.url);
  const retryMs = options.registerRetryMs ?? 1_000;
  const body = registrationOf(options, url, credential);
  const firstBrowser = createFirstBrowser(driver, logger);
  const watched = () => video?.server.watched() ?? [];
  const joining = { ...options, controlPlane, body, sessions, watched, firstBrowser, retryMs, tunnels };
  const membership = joinControlPlane(joining);
  void membership.registered.then(() => tunnels?.start());

  return {
    url,
    video: video?.server,
    registered: membership.registered,
    browsers: firstBrowser.outcome,
    status: () => sessions.status(),
    tunnels,
    release: (limitMs) => release({ sessions, membership, saves }, limitMs),
    drain: async (limitMs = 5_000) => {
      await end({ sessions, membership, video, onDeath });
      await hangUp(limitMs);
      await tunnels?.close();
      await server.close();
      await driver.close();
    },
  };
}

interface Ending extends Pick<Releasing, 'sessions' | 'membership'> {
  readonly video: RunningVideo | undefined;
  readonly onDeath: (session: SessionId) => void;
}

/** Accepts nothing new, and ends the browsers. */
async function end({ sessions, membership, video, onDeath }: Ending): Promise<void> {
  sessions.leaving = true;
  sessions.closed = true;
  await membership.leave();
  const ended = sessions.list();
  await video?.close();
  await Promise.all(ended.map((session) => sessions.discard(session)));
  ended.forEach(onDeath);
}

const openTunnels = (
  { connect, controlPlaneUrl: url, tls, logger }: NodeOptions,
  credential: string,
  { server }: Awaited<ReturnType<typeof startNodeServer>>,
): Dialling | undefined =>
  connect === 'dial' ? new Dialling({ url, credential, server, tls, logger }) : undefined;

interface Releasing {
  readonly sessions: Sessions;
  readonly membership: ReturnType<typeof joinControlPlane>;
  readonly saves: Saves;
}

async function release({ sessions, membership, saves }: Releasing, limitMs: number): Promise<void> {
  sessions.leaving = true;
  await membership.tellLeaving(limitMs);
  await delay(Math.min(limitMs, ARRIVING_MS));
  await until(() => sessions.list().length === 0 && saves.isIdle, limitMs);
}

/** Time in which a session that was placed here before the control plane knew has arrived. */
const ARRIVING_MS = 1_000;
const LOOK_EVERY_MS = 100;

async function until(isSo: () => boolean, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs;
  while (!isSo() && performance.now() < end) await delay(LOOK_EVERY_MS);
}

async function openSessions(
  options: NodeOptions,
  {
    clock,
    ...parts
  }: Pick<Required<NodeOptions>, 'clock'> &
    Omit<SessionsOptions, 'driver' | 'capacity' | 'logger' | 'uploadsDir' | 'capturesDir' | 'driverLog'>,
): Promise<Sessions> {
  return new Sessions({
    ...options,
    ...parts,
    uploadsDir: await emptied(options.dataDir, 'uploads'),
    capturesDir: await emptied(options.dataDir, 'captures'),
    driverLog: openDriverLog(options.driverLog, clock),
  });
}

/** The node's registration. */
const registrationOf = (
  { name, driver, capacity, video, liveView, internal }: NodeOptions,
  url: string,
  credential: string,
): Register => ({
  ...{ name, url, driver: driver.name, capacity, credential },
  ...(video && { video }),
  ...(liveView && !isBlind(driver) && { video: { ws_url: liveView.wsUrl, ...videoKeyOf(credential) } }),
  ...(internal && { internal: [...internal] }),
});

/** A node that cannot show its browsers does not offer video. */
const isBlind = ({ shownNothing }: Driver): boolean => shownNothing !== undefined;

/** Video rooms of this node's browsers, with the input of people in them. */
function openVideo(options: NodeOptions, credential: string, sessions: Sessions): RunningVideo | undefined {
  const { driver, liveView, logger, controlPlaneUrl: url, tls } = options;
  if (!liveView) return undefined;
  if (isBlind(driver)) {
    logger.warn({ reason: driver.shownNothing }, 'This node shows no video of its browsers.');
    return undefined;
  }
  const line = openControlLine({ url, credential, logger, tls });
  const { ice, onInput } = liveView;
  const open = openHands({
    ...{ line, logger, turns: sessions.turns, seatOf: (session) => sessions.seatOf(session) },
    ...(onInput && { onInput }),
  });
  const showOf = (session: SessionId) => sessions.showOf(session);
  const onFailed = (session: SessionId) => sessions.warn(session, 'streaming_failed');
  const server = new VideoServer({ key: videoKeyOf(credential), ice, showOf, open, logger, onFailed });
  return { server, close: () => server.close().then(() => line.close()) };
}

interface RunningVideo {
  readonly server: VideoServer;
  readonly close: () => Promise<void>;
}

/** The node's calls to the control plane. */
function openCalls(options: NodeOptions, credential: string) {
  const { controlPlaneUrl: url, joinToken, logger, tls, clock } = options;
  const controlPlane = createControlPlane({
    ...{ url, joinToken, credential, logger, tls },
    ...(clock && { clock }),
  });
  const states = createStateTransfer({ url, credential, tls });
  const saves = new Saves({ transfer: states, logger, ...options.saves });
  /** First sends pending reports and states, for at most so long. */
  const hangUp = async (limitMs: number) => {
    const [flushed] = await Promise.all([controlPlane.flush(limitMs), saves.finish(limitMs)]);
    if (!flushed) logger.warn('Some reports were not accepted before the node stopped.');
    await Promise.all([controlPlane.close(), states.close()]);
  };
  return { controlPlane, states, saves, hangUp };
}

/** Empties a directory of sessions' files. Files that are there were left by a run that crashed: its sessions have ended. */
async function emptied(dataDir: string, name: 'uploads' | 'captures'): Promise<string> {
  const directory = join(dataDir, name);
  await rm(directory, { recursive: true, force: true });
  return directory;
}

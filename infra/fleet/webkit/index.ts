import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { archetypeCatalogue, findArchetype } from '../../../contracts/archetypes.ts';
import type { EgressCapabilities } from '../../../contracts/operations.ts';
import type { Geolocation } from '../../../contracts/resources/agent-session.ts';
import type { DialledProxy } from '../../../contracts/resources/proxy.ts';
import type { Archetype } from '../../../contracts/resources/archetype.ts';
import { systemClock, type Clock } from '../../platform/clock.ts';
import type { OutboundGuard } from '../../outbound/guard.ts';
import { LookupPermits } from '../../outbound/lookup-permits.ts';
import {
  wrapOperations,
  type Browser,
  type BrowserReport,
  type Driver,
  type LaunchedProfile,
} from '../node/driver.ts';
import type { ShowPicture } from '../node/picture.ts';
import { shareAttention } from './attention.ts';
import { besideOperations } from './beside-operations.ts';
import { tellHolders } from './bound-holders.ts';
import { usualBounds, watchBounds, type Bounds } from './bounds.ts';
import { watchForChallenges } from './challenges.ts';
import { noControlGroups, openControlGroups } from './control-groups.ts';
import { downloadContent } from './download-content.ts';
import { listEncoders } from './encoder-registry.ts';
import type { Device } from './display.ts';
import { webKitHands } from './hands.ts';
import { removeDirectory, startInstance, type Instance } from './instance.ts';
import { makeKeymap } from './keymap.ts';
import { namespacesRefused, type Trial } from './namespaces.ts';
import { webKitLive } from './operations/live.ts';
import { webKitOperations, type OperationsOptions } from './operations/index.ts';
import type { SearchEngine } from './operations/search.ts';
import { openPage } from './open-page.ts';
import { ownDirectory, sharedDirectory } from './own-directory.ts';
import type { Page } from './page.ts';
import { showPicture } from './picture.ts';
import { Pool } from './pool.ts';
import { endProcesses } from './processes.ts';
import { NoBrowserStarts, debianBinaries, requireWebKit, type WebKitBinaries } from './requirements.ts';
import { keepReserve } from './reserve.ts';
import { shareStarts } from './starts.ts';
import { layOutState, leaveState, restoreState } from './state.ts';
import { standInsFor } from './unused-libraries.ts';

export { debianBinaries } from './requirements.ts';

export interface WebKitDriverOptions {
  readonly guard: OutboundGuard;
  readonly logger: Logger;
  /**
   * Directory of the browsers' directories. On start, processes and files of an earlier run in it are removed. The path
   * must be short: it is part of a unix socket's address, which has at most 107 bytes.
   */
  readonly runtimeDir: string;
  /** Other directories of the node, which no browser sees. */
  readonly hidden?: readonly string[];
  /** Number of started browsers in the pool, besides those in use. */
  readonly poolSize: number;
  readonly clock?: Clock;
  readonly binaries?: WebKitBinaries;
  readonly searchEngines?: Readonly<Record<string, SearchEngine>>;
  /** Overrides of `usualBounds`. */
  readonly bounds?: Partial<Bounds>;
  /** Bytes that all browsers may use before no more are started. Default: the machine's memory less 2 GiB. */
  readonly nodeMemory?: number | undefined;
  /** Whether to use control groups where the kernel has them. */
  readonly controlGroups?: boolean;
  /** Time limit for the start of a browser, in milliseconds. */
  readonly startMs?: number;
}

/**
 * The driver for WebKitGTK that presents itself as Safari on a phone. Throws `WebKitMissing` where it is not installed.
 */
export async function createWebKitDriver(options: WebKitDriverOptions): Promise<Driver> {
  const { guard, logger, poolSize, clock = systemClock, searchEngines = {} } = options;
  const { binaries = debianBinaries, startMs = 30_000 } = options;
  requireWebKit(binaries);
  const runtimeDir = await directoryOfBrowsers(options.runtimeDir);
  await sweep(runtimeDir, logger);
  const files = await sharedFiles(binaries);
  const separation = await separated(binaries, runtimeDir, options);
  const given = { binaries, guard, logger, startMs, ...files, ...separation };
  const held = await heldTo(runtimeDir, options);
  const reserve = keepReserve(held.bounds, logger, options.nodeMemory);
  const start = async (archetype: Archetype, profile?: LaunchedProfile) => {
    const directory = join(runtimeDir, randomBytes(6).toString('hex'));
    const unvisited = profile?.state && (await layOutState(directory, profile.state));
    const instance = await startInstance({ ...given, ...held, directory, device: archetype, unvisited });
    return prepare(instance, { archetype, profile, limitMs: startMs });
  };
  const pooled = archetypeOfPool();
  const pool = new Pool({ size: poolSize, start: () => start(pooled), starts: held.starts, logger });
  const operations = { guard, clock, searchEngines, shown: 'encoderRegistry' in files };
  return {
    name: 'webkit',
    ...('shownNothing' in files && { shownNothing: files.shownNothing }),
    isFull: reserve.isFull,
    ready: () => startsIn(pool, binaries),
    launch: async (_session, archetype, { uploads, proxy, profile, geolocation, ...account }) => {
      // Browsers of the pool were started without a state.
      const isPooled = isOf(pooled, archetype) && !profile?.state;
      const instance = isPooled
        ? await pool.take(account)
        : await held.starts(() => start(archetype, profile), account);
      instance.belongTo(account.tenant);
      if (isPooled && (profile || archetype.id !== pooled.id))
        await prepare(instance, { archetype, profile, limitMs: startMs });
      if (geolocation) await locate(instance, geolocation, startMs);
      return take(instance, openPage(instance, uploads), { ...operations, ...archetype, proxy });
    },
    close: () => closeAll(reserve, pool, runtimeDir),
  };
}

async function closeAll(reserve: { close(): void }, pool: Pool<Instance>, runtimeDir: string): Promise<void> {
  reserve.close();
  await pool.close();
  await removeDirectory(runtimeDir);
}

function archetypeOfPool(): Archetype {
  const pooled = findArchetype(archetypeCatalogue.default);
  if (!pooled) throw new Error('The catalogue does not have its default.');
  return pooled;
}

const startsIn = (pool: Pool<Instance>, binaries: WebKitBinaries): Promise<void> =>
  pool.prove().catch((error: unknown) => {
    throw new NoBrowserStarts(binaries, error);
  });

/** Whether both archetypes need the same display, which a browser keeps for life. */
const isOf = (device: Device, other: Device): boolean =>
  device.screen.width === other.screen.width &&
  device.screen.height === other.screen.height &&
  device.device_pixel_ratio === other.device_pixel_ratio;

const egressCapabilities: EgressCapabilities = {
  udp_associate: false,
  dns_remote_resolve: false,
  quic_route: 'none',
  warnings: [],
};

/** The egress of a browser whose proxy turned out to be dead, or works again. */
const egressReport = (isDead: boolean): BrowserReport => ({
  kind: 'egress_capabilities',
  capabilities: { ...egressCapabilities, warnings: isDead ? ['dead_proxy'] : [] },
});

interface Identity {
  readonly archetype: Archetype;
  readonly profile: LaunchedProfile | undefined;
  readonly limitMs: number;
}

/** Sets a browser's identity and restored state, before its first page. */
async function prepare(instance: Instance, { archetype, profile, limitMs }: Identity): Promise<Instance> {
  try {
    const identity = { ...archetype, noise_seed: profile?.noiseSeed ?? null };
    await instance.host.send('identify', identity, AbortSignal.timeout(limitMs));
    if (profile?.state) await restoreState(instance, limitMs);
    return instance;
  } catch (error) {
    await instance.close();
    throw error;
  }
}

/** Accuracy of a phone's position outdoors, in metres. */
const usualAccuracy = 20;

/** Sets the position that pages get when they request geolocation. */
async function locate(instance: Instance, geolocation: Geolocation, limitMs: number): Promise<void> {
  const place = { accuracy: usualAccuracy, ...geolocation };
  try {
    await instance.host.send('locate', place, AbortSignal.timeout(limitMs));
  } catch (error) {
    await instance.close();
    throw error;
  }
}

function take(
  instance: Instance,
  page: Page,
  options: OperationsOptions & {
    readonly proxy: DialledProxy | undefined;
    readonly viewport: Archetype['viewport'];
    readonly shown: boolean;
  },
): Browser {
  const listeners: ((report: BrowserReport) => void)[] = [];
  const tell = (report: BrowserReport) => listeners.forEach((listener) => listener(report));
  if (options.proxy) instance.proxy.goThrough(options.proxy, (isDead) => tell(egressReport(isDead)));
  const awaited = wrapOperations(
    webKitOperations(page, options),
    (run) => (input, limits) => instance.during(() => run(input, limits)),
  );
  const beside = besideOperations(instance, page);
  const { operations, cleared } = watchForChallenges(beside, awaited, tell);
  return {
    operations,
    live: webKitLive(beside, cleared),
    hands: webKitHands(instance, page, options.viewport),
    download: (name, limits) => downloadContent(page, instance.directory, name, limits),
    egressCapabilities,
    ...(options.shown && { show: (...how: Parameters<ShowPicture>) => showPicture(instance, ...how) }),
    onDeath: (listener) => instance.onDeath(listener),
    onReport: (listener) => void listeners.push(listener),
    close: () => instance.close(),
    leave: () => leaveState(instance),
  };
}

/** The directory of the browsers, whose path must be short enough. */
async function directoryOfBrowsers(path: string): Promise<string> {
  const longest = join(path, '0123456789ab', 'proxy.sock');
  if (Buffer.byteLength(longest) > 107)
    throw new Error(`${path} is too long for the sockets of the browsers.`);
  return ownDirectory(path);
}

/** Ends the processes that an earlier run left, recognized by their environment, and removes its files. */
async function sweep(runtimeDir: string, logger: Logger): Promise<void> {
  await endProcesses(runtimeDir);
  const left = await readdir(runtimeDir);
  await Promise.all(left.map((entry) => rm(join(runtimeDir, entry), { recursive: true, force: true })));
  if (left.length > 0)
    logger.warn(
      { directories: left.length },
      'Removed directories of browsers that an earlier run of this node left.',
    );
}

async function sharedFiles({ gjs }: WebKitBinaries) {
  const directory = await sharedDirectory();
  return { ...(await listEncoders(gjs, directory)), keymap: await makeKeymap(directory) };
}

/** Chooses what enforces the bounds of browsers, logs it, and shares the node's processors and look-ups between them. */
async function heldTo(runtimeDir: string, options: WebKitDriverOptions) {
  const { logger, controlGroups: wanted = true } = options;
  const bounds = { ...usualBounds, ...options.bounds };
  const controlGroups = wanted ? await openControlGroups(runtimeDir, bounds) : noControlGroups;
  tellHolders(controlGroups, logger);
  return {
    bounds: watchBounds(bounds, logger),
    controlGroups,
    attend: shareAttention(),
    starts: shareStarts(),
    ...{ ownPorts: new Set<number>(), lookups: new LookupPermits() },
  };
}

/** Chooses and logs how browsers are isolated from the machine. */
async function separated(binaries: WebKitBinaries, directory: string, options: WebKitDriverOptions) {
  const hidden = [directory, ...(options.hidden ?? [])];
  const namespaces = await namespaced(binaries.bubblewrap, { directory, hidden }, options.logger);
  const standIns = namespaces ? await standInsFor(binaries, directory) : [];
  return { namespaces, standIns, hidden, sandbox: sandboxed(options.logger) };
}

/** Without namespaces, browsers can see each other and the node. This is logged. */
async function namespaced(bubblewrap: string, trial: Trial, logger: Logger): Promise<boolean> {
  const refused = await namespacesRefused(bubblewrap, trial);
  if (refused !== undefined) {
    logger.warn(
      { reason: refused },
      'Browsers run WITHOUT namespaces of their own: a page that breaks out of WebKit can reach whatever this node can. ' +
        'The container or kernel must allow user namespaces.',
    );
  }
  return refused === undefined;
}

/** WebKit's sandbox needs an unprivileged user. Running without it is logged. */
function sandboxed(logger: Logger): boolean {
  const root = process.getuid?.() === 0;
  if (root) {
    logger.warn(
      'This node runs as root, where WebKit cannot use its sandbox: it is OFF (WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS=1). ' +
        'Run the node as an unprivileged user to have it on.',
    );
  }
  return !root;
}

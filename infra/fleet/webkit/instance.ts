import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Logger } from 'pino';
import type { UnvisitedSites } from '../../profile-states/index.ts';
import type { OutboundGuard } from '../../outbound/guard.ts';
import type { LookupPermits } from '../../outbound/lookup-permits.ts';
import { startFilteringProxy, type FilteringProxy } from '../../outbound/proxy.ts';
import { claimPort } from '../../platform/free-port.ts';
import type { Attend, Attention } from './attention.ts';
import type { BoundsWatch } from './bounds.ts';
import type { ControlGroup, ControlGroups } from './control-groups.ts';
import { listenForHost, type HostChannel } from './host-channel.ts';
import { pathsIn, startHostProcess, type HostOptions } from './host-process.ts';
import { openOwnFile } from './own-files.ts';
import { endProcesses, kill } from './processes.ts';

export interface InstanceOptions extends HostOptions {
  readonly guard: OutboundGuard;
  readonly logger: Logger;
  /** Proxy ports of all browsers of the node, which no page may reach. This browser's port is in it while it lives. */
  readonly ownPorts: Set<number>;
  /** Permits of look-ups, which all browsers of the node share. */
  readonly lookups?: LookupPermits;
  /** Restored state of sites, waiting to be loaded. */
  readonly unvisited?: UnvisitedSites | undefined;
  /** Time limit for the start, in milliseconds. */
  readonly startMs: number;
  readonly bounds: BoundsWatch;
  readonly controlGroups: ControlGroups;
  readonly attend: Attend;
}

/** A running browser: a host, a display, a proxy and a directory, all of its own. */
export interface Instance {
  readonly directory: string;
  readonly host: HostChannel;
  readonly proxy: FilteringProxy;
  /** Runs work that a caller waits for. Browsers without such work yield to it. */
  readonly during: Attention['during'];
  readonly belongTo: Attention['belongTo'];
  /** Restored state of sites that the browser has not visited since. */
  readonly unvisited: UnvisitedSites | undefined;
  /** Milliseconds between the announcement of an operation's touch and the touch; 0 while nobody watches. */
  readonly announce: { ms: number };
  readonly alive: boolean;
  /** Called once, if an essential process of the browser exits unexpectedly; not on `close`. */
  onDeath(listener: () => void): void;
  /** Ends the browser and keeps its files. */
  end(): Promise<void>;
  /** Ends the browser and removes its files, also if not all of it ends: it rejects then. */
  close(): Promise<void>;
}

type Cleanup = () => unknown;

/** Starts a browser on `about:blank`. On failure, everything that was started is removed. */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const { directory } = options;
  const cleanups: Cleanup[] = [];
  /** Runs all cleanups, even when one of them fails. */
  const dispose = async () => {
    const failures: unknown[] = [];
    for (const cleanup of cleanups.splice(0).reverse())
      await Promise.resolve(cleanup()).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, `Not all of ${directory} ended.`);
  };
  try {
    return await startParts(options, cleanups, dispose);
  } catch (error) {
    const said = await lastWords(directory);
    await removeAfter(dispose(), directory);
    throw new Error(`The browser did not start. It said: ${said.slice(-2_000) || 'nothing'}`, {
      cause: error,
    });
  }
}

/** Removes the directory once the browser has ended, also if not all of it does. */
async function removeAfter(ending: Promise<void>, directory: string): Promise<void> {
  try {
    await ending;
  } finally {
    await removeDirectory(directory);
  }
}

/** The end of the browser's output, which is untrusted. */
async function lastWords(directory: string): Promise<string> {
  const file = await openOwnFile(directory, basename(pathsIn(directory).output));
  if (!file) return '';
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8_000), 0, 8_000, Math.max(0, size - 8_000));
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

export const removeDirectory = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 5 });

/** Each part registers its cleanup as soon as there is something to clean up. */
async function startParts(
  options: InstanceOptions,
  cleanups: Cleanup[],
  dispose: () => Promise<void>,
): Promise<Instance> {
  const { directory, guard, logger, ownPorts, unvisited, startMs, bounds } = options;
  const paths = pathsIn(directory);
  for (const path of [paths.state, paths.scratch]) await mkdir(path, { recursive: true, mode: 0o700 });
  const proxy = await startFilteringProxy({
    ...{ guard, logger, path: paths.proxy, ownPorts, lookups: options.lookups },
    onTarget: ({ host, port }) => unvisited?.visit(`${host}:${port}`),
  });
  cleanups.push(() => proxy.close());
  const line = await listenForHost(paths.host, startMs);
  cleanups.push(() => line.close());
  const port = await portFor(ownPorts, cleanups);
  const group = await options.controlGroups.make(basename(directory));
  cleanups.push(() => group.remove());
  // Control groups list their processes; without them, all processes of the machine are searched.
  if (group.directories.length === 0) cleanups.push(() => endProcesses(directory));
  const attention = options.attend(group);
  cleanups.push(() => attention.close());
  const process = await startHostProcess(options, port, {
    groups: group.directories,
    fileBytes: bounds.most.diskBytes,
  });
  cleanups.push(() => process.pid && kill(-process.pid));
  cleanups.push(within(options, process, group));
  const ended = once(process, 'exit').then(() => Promise.reject(new Error('The browser ended at once.')));
  const started = (async (): Promise<HostChannel> => {
    const host = await line.connected;
    // The first load starts the web process.
    await host.send('load', { url: 'about:blank', wait_until: 'load' }, AbortSignal.timeout(startMs));
    return { ...host, send: (...command) => attention.within(() => host.send(...command)) };
  })();
  const host = await attention.starting(() => Promise.race([started, ended]));
  const belongTo = (tenant: string) => {
    attention.belongTo(tenant);
    proxy.belongTo(tenant);
  };
  return living(options, { host, proxy, process, during: attention.during, belongTo }, dispose);
}

function living(
  { directory, unvisited }: InstanceOptions,
  parts: Pick<Instance, 'host' | 'proxy' | 'during' | 'belongTo'> & { process: ChildProcess },
  dispose: () => Promise<void>,
): Instance {
  const { process, ...own } = parts;
  let alive = true;
  let ending: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  const end = () => (ending ??= dispose());
  const listeners: (() => void)[] = [];
  const died = () => {
    if (!alive || ending) return;
    alive = false;
    // Commands that wait for a reply are rejected when an essential process of the browser is gone.
    parts.host.close();
    for (const listener of listeners.splice(0)) listener();
  };
  parts.host.onGone(died);
  process.once('exit', died);
  return {
    ...own,
    announce: { ms: 0 },
    directory,
    unvisited,
    get alive() {
      return alive && ending === undefined;
    },
    onDeath: (listener) => {
      if (alive) listeners.push(listener);
      else listener();
    },
    end,
    close: () => (closing ??= removeAfter(end(), directory)),
  };
}

/** Watches the browser's bounds. The end of its first process ends all others. */
function within({ bounds, directory }: InstanceOptions, { pid }: ChildProcess, group: ControlGroup): Cleanup {
  if (pid === undefined) return () => undefined;
  return bounds.watch({ session: pid, directory, group, end: () => kill(-pid) });
}

/**
 * A port for the browser's proxy. Where browsers share the node's loopback, pages must not reach any of these ports.
 */
async function portFor(ownPorts: Set<number>, cleanups: Cleanup[]): Promise<number> {
  const { port, release } = await claimPort();
  ownPorts.add(port);
  cleanups.push(() => {
    ownPorts.delete(port);
    release();
  });
  return port;
}

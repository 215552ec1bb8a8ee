import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { OutboundGuard } from '../../outbound/guard.ts';
import { startFilteringProxy, type FilteringProxy } from '../../outbound/proxy.ts';
import { freePort } from '../../platform/free-port.ts';
import { listenForHost, type HostChannel } from './host-channel.ts';
import { pathsIn, startHostProcess, type HostOptions } from './host-process.ts';
import { endProcesses } from './processes.ts';
import { openPort, openWebDriverSession, type WebDriverSession } from './web-driver.ts';

export interface InstanceOptions extends HostOptions {
  readonly guard: OutboundGuard;
  readonly logger: Logger;
  /** The ports of the node and all its browsers, which no page may reach; this one's are added while it lives. */
  readonly ownPorts: Set<number>;
  /** Milliseconds a start may take. */
  readonly startMs: number;
  /** What WebDriver itself waits for when it opens a page; nothing by default, for the host does. */
  readonly pageLoad?: 'none' | 'normal';
}

/** One running browser: a host, a display, a WebDriver, a proxy and a directory, all its own. */
export interface Instance {
  readonly directory: string;
  readonly host: HostChannel;
  readonly webDriver: WebDriverSession;
  readonly proxy: FilteringProxy;
  readonly alive: boolean;
  /** Called once, when any of its processes that matter is gone; not for `close`. */
  onDeath(listener: () => void): void;
  close(): Promise<void>;
}

type Cleanup = () => unknown;

/** Starts a browser on `about:blank`. On failure nothing of it is left. */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const { directory } = options;
  const cleanups: Cleanup[] = [];
  const dispose = async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  };
  try {
    cleanups.push(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
    return await startParts(options, cleanups, dispose);
  } catch (error) {
    const said = await readFile(pathsIn(directory).output, 'utf8').catch(() => '');
    await dispose();
    throw new Error(`The browser did not start. It said: ${said.slice(-2_000) || 'nothing'}`, {
      cause: error,
    });
  }
}

/** Adds how each part is undone as soon as there is something to undo. */
async function startParts(
  options: InstanceOptions,
  cleanups: Cleanup[],
  dispose: () => Promise<void>,
): Promise<Instance> {
  const { directory, guard, logger, ownPorts, startMs } = options;
  const paths = pathsIn(directory);
  await mkdir(paths.profile, { recursive: true, mode: 0o700 });
  const proxy = await startFilteringProxy({ guard, logger, path: paths.proxy, ownPorts });
  cleanups.push(() => proxy.close());
  const way = await openPort(paths.webDriver);
  cleanups.push(() => way.close());
  const line = await listenForHost(paths.host, startMs);
  cleanups.push(() => line.close());
  const ports = await takePorts(ownPorts, way.port);
  cleanups.push(ports.release);
  const process = await startHostProcess(options, ports);
  cleanups.push(() => endProcesses(directory, process.pid));
  const ended = once(process, 'exit').then(() => Promise.reject(new Error('The browser ended at once.')));
  const started = (async () => {
    const host = await line.connected;
    const limit = AbortSignal.timeout(startMs);
    // Loading starts the process of the page, which takes as long as WebDriver and host take to find each other.
    const [webDriver] = await Promise.all([
      listening(way.port, startMs).then(() => openWebDriverSession(way.port, startMs, options.pageLoad)),
      host.send('load', { url: 'about:blank', wait_until: 'load' }, limit),
    ]);
    return { host, webDriver };
  })();
  return living(options, { ...(await Promise.race([started, ended])), proxy, process }, dispose);
}

function living(
  { directory }: InstanceOptions,
  parts: Pick<Instance, 'host' | 'webDriver' | 'proxy'> & { process: ChildProcess },
  dispose: () => Promise<void>,
): Instance {
  const { process, ...own } = parts;
  let alive = true;
  let closing: Promise<void> | undefined;
  const listeners: (() => void)[] = [];
  const died = () => {
    if (!alive || closing) return;
    alive = false;
    // Whoever waits for an answer of a browser that lost one of its parts must not wait in vain.
    parts.host.close();
    for (const listener of listeners.splice(0)) listener();
  };
  parts.host.onGone(died);
  process.once('exit', died);
  return {
    ...own,
    directory,
    get alive() {
      return alive && closing === undefined;
    },
    onDeath: (listener) => {
      if (alive) listeners.push(listener);
      else listener();
    },
    close: () => (closing ??= dispose()),
  };
}

/** Ports for the parts of a browser, and the one that leads to its WebDriver: no page reaches them until they are released. */
async function takePorts(ownPorts: Set<number>, toWebDriver: number) {
  const taken = [toWebDriver];
  ownPorts.add(toWebDriver);
  const take = async () => {
    let port = await freePort();
    while (ownPorts.has(port)) port = await freePort();
    ownPorts.add(port);
    taken.push(port);
    return port;
  };
  return {
    webDriver: await take(),
    inspector: await take(),
    proxy: await take(),
    release: () => taken.forEach((port) => ownPorts.delete(port)),
  };
}

async function listening(port: number, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    const reply = await fetch(`http://127.0.0.1:${port}/status`).catch(() => undefined);
    if (reply?.ok) return;
    await delay(5);
  }
  throw new Error('WebKitWebDriver did not listen in time.');
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open as openFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { OutboundGuard } from '../../outbound/guard.ts';
import { startFilteringProxy, type FilteringProxy } from '../../outbound/proxy.ts';
import { freePort } from '../../platform/free-port.ts';
import type { Display } from './display.ts';
import { listenForHost, type HostChannel } from './host-channel.ts';
import { endProcesses, ownerVariable } from './processes.ts';
import type { WebKitBinaries } from './requirements.ts';
import { openWebDriverSession, type WebDriverSession } from './web-driver.ts';

export interface InstanceOptions {
  readonly binaries: WebKitBinaries;
  readonly display: Display;
  readonly guard: OutboundGuard;
  readonly logger: Logger;
  /** Everything of this browser is in here and is removed with it. */
  readonly directory: string;
  /** Device pixels per CSS pixel; fixed for the life of a browser. */
  readonly scale: number;
  readonly sandbox: boolean;
  /** Milliseconds a start may take. */
  readonly startMs: number;
  /** What WebDriver itself waits for when it opens a page; nothing by default, for the host does. */
  readonly pageLoad?: 'none' | 'normal';
}

/** One running browser: a WebDriver, a host, a proxy and a directory, all its own. */
export interface Instance {
  readonly scale: number;
  readonly directory: string;
  readonly host: HostChannel;
  readonly webDriver: WebDriverSession;
  readonly proxy: FilteringProxy;
  readonly alive: boolean;
  /** Called once, when any of its processes that matter is gone; not for `close`. */
  onDeath(listener: () => void): void;
  close(): Promise<void>;
}

const hostFiles = join(import.meta.dirname, 'host');

/** Starts a browser on `about:blank`. On failure nothing of it is left. */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const { directory, guard, logger, startMs } = options;
  await mkdir(join(directory, 'profile'), { recursive: true, mode: 0o700 });
  const proxy = await startFilteringProxy({ guard, logger });
  let process: ChildProcess | undefined;
  const dispose = async () => {
    await endProcesses(directory, process?.pid);
    await proxy.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const line = await listenForHost(join(directory, 'host.sock'), startMs);
    const port = await freePort();
    process = await startWebDriver(options, port, proxy);
    await listening(port, process, startMs);
    const [webDriver, host] = await Promise.all([
      openWebDriverSession(
        port,
        { binary: options.binaries.gjs, args: ['-m', join(hostFiles, 'main.js')] },
        startMs,
        options.pageLoad,
      ),
      line.connected,
    ]);
    await host.send('load', { url: 'about:blank', wait_until: 'load' }, AbortSignal.timeout(startMs));
    return living(options, { host, webDriver, proxy, process }, dispose);
  } catch (error) {
    const said = await readFile(join(directory, 'output'), 'utf8').catch(() => '');
    await dispose();
    throw new Error(`The browser did not start. It said: ${said.slice(-2_000) || 'nothing'}`, {
      cause: error,
    });
  }
}

function living(
  { scale, directory }: InstanceOptions,
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
    scale,
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

/** In a process group of its own. What it and the browser say goes to a file that an unsuccessful start is explained with. */
async function startWebDriver(
  options: InstanceOptions,
  port: number,
  proxy: FilteringProxy,
): Promise<ChildProcess> {
  const { directory, binaries } = options;
  const output = await openFile(join(directory, 'output'), 'w', 0o600);
  try {
    return spawn(binaries.webDriver, ['--host=127.0.0.1', `--port=${port}`], {
      stdio: ['ignore', output.fd, output.fd],
      detached: true,
      cwd: directory,
      env: environment(options, proxy),
    });
  } finally {
    await output.close();
  }
}

/** Nothing of the node's own environment reaches a browser. */
function environment(options: InstanceOptions, proxy: FilteringProxy): NodeJS.ProcessEnv {
  const { directory, display, scale, sandbox } = options;
  return {
    ...display.environment,
    [ownerVariable]: directory,
    SERVICE_HOST: JSON.stringify({
      socket: join(directory, 'host.sock'),
      profile: join(directory, 'profile'),
      proxy: proxy.url,
      sandbox,
      scripts: { operations: join(hostFiles, 'operations.js'), surface: join(hostFiles, 'surface.js') },
    }),
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: directory,
    TMPDIR: directory,
    XDG_RUNTIME_DIR: directory,
    GDK_BACKEND: 'x11',
    GDK_SCALE: String(scale),
    // No desktop around it: no accessibility bus, no settings daemon, no remote file systems, no graphics card.
    NO_AT_BRIDGE: '1',
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    GSETTINGS_BACKEND: 'memory',
    GIO_USE_VFS: 'local',
    LIBGL_ALWAYS_SOFTWARE: '1',
    WEBKIT_DISABLE_DMABUF_RENDERER: '1',
    ...(sandbox ? {} : { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }),
  };
}

async function listening(port: number, process: ChildProcess, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs;
  const ended = once(process, 'exit').then(() => Promise.reject(new Error('WebKitWebDriver ended at once.')));
  const asked = (async () => {
    while (performance.now() < end) {
      const reply = await fetch(`http://127.0.0.1:${port}/status`).catch(() => undefined);
      if (reply?.ok) return;
      await delay(5);
    }
    throw new Error('WebKitWebDriver did not listen in time.');
  })();
  await Promise.race([asked, ended]);
}

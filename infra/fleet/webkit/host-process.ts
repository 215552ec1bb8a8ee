import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open as openFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withNiceness } from '../../platform/niceness.ts';
import { started } from '../../platform/started.ts';
import { prepareDisplay, type Device, type Display } from './display.ts';
import { withLimits, type Limits } from './limits.ts';
import { inNamespaces, type StandIn } from './namespaces.ts';
import { bundlePageScripts } from './page-scripts.ts';
import { ownerVariable } from './processes.ts';
import type { WebKitBinaries } from './requirements.ts';

export interface HostOptions {
  readonly binaries: WebKitBinaries;
  /** Directory of this browser, removed with it. */
  readonly directory: string;
  readonly device: Device;
  /** Whether WebKit sandboxes the web process. */
  readonly sandbox: boolean;
  /** Whether the browser runs in namespaces of its own. */
  readonly namespaces: boolean;
  /** Installed files that are seen in place of others, in namespaces. */
  readonly standIns?: readonly StandIn[];
  /** Directories of the node, which no browser sees, in namespaces. */
  readonly hidden?: readonly string[];
  /** Directory of the keymap; undefined for the one that is installed. */
  readonly keymap?: string | undefined;
  /** File of GStreamer's plugin registry; undefined where windows cannot be shown. */
  readonly encoderRegistry?: string | undefined;
}

const hostFiles = join(import.meta.dirname, 'host');
/** Has what `host/collector.js` imports. */
export const typelibs = join(hostFiles, 'typelibs');

/** Sockets between node and browser, and what the browser writes. */
export const pathsIn = (directory: string) => ({
  host: join(directory, 'host.sock'),
  proxy: join(directory, 'proxy.sock'),
  /** The profile's data, in the layout of `infra/profile-states`. */
  state: join(directory, 'state'),
  /** Everything else that the browser stores. */
  scratch: join(directory, 'scratch'),
  downloads: join(directory, 'downloads'),
  output: join(directory, 'output'),
  service: join(directory, 'service.js'),
});

/** Starts the host in a process group of its own. Its output goes to a file, whose end explains a failed start. */
export async function startHostProcess(
  options: HostOptions,
  proxyPort: number,
  limits: Limits,
): Promise<ChildProcess> {
  const { binaries, directory } = options;
  await writeFile(pathsIn(directory).service, (await bundlePageScripts()).service, { mode: 0o600 });
  const display = await prepareDisplay(binaries.xorg, directory, options.device, options.keymap);
  const host = [binaries.gjs, '-m', join(hostFiles, 'main.js')];
  const around = options.namespaces
    ? inNamespaces(binaries.bubblewrap, {
        directory,
        readable: readableIn(options),
        hidden: options.hidden,
        // An upgrade of their package may have removed them since the trial.
        standIns: options.standIns?.filter((each) => existsSync(each.place) && existsSync(each.file)),
      })
    : [];
  const [program = '', ...args] = [...withLimits(limits), ...around, ...host];
  const output = await openFile(pathsIn(directory).output, 'w', 0o600);
  try {
    const child = spawn(program, args, {
      stdio: ['ignore', output.fd, output.fd],
      detached: true,
      cwd: directory,
      env: environment(options, proxyPort, display),
    });
    return await started(withNiceness(child));
  } finally {
    await output.close();
  }
}

const readableIn = ({ binaries, encoderRegistry, keymap }: HostOptions): readonly string[] =>
  [hostFiles, binaries.gjs, binaries.xorg, encoderRegistry, keymap].filter((path) => path !== undefined);

/** The browser inherits nothing of the node's environment. */
function environment(options: HostOptions, proxyPort: number, display: Display): NodeJS.ProcessEnv {
  const { directory, device, sandbox } = options;
  return {
    ...display.environment,
    [ownerVariable]: directory,
    SERVICE_HOST: JSON.stringify(configuration(options, proxyPort, display)),
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: directory,
    TMPDIR: directory,
    XDG_RUNTIME_DIR: directory,
    GDK_BACKEND: 'x11',
    GDK_SCALE: String(device.device_pixel_ratio),
    // The theme in `host/themes`.
    GTK_THEME: 'Plain',
    XDG_DATA_DIRS: ['/usr/local/share', '/usr/share', hostFiles].join(':'),
    GI_TYPELIB_PATH: typelibs,
    // No desktop services: no accessibility bus, settings daemon, remote file systems or graphics card.
    NO_AT_BRIDGE: '1',
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    GSETTINGS_BACKEND: 'memory',
    GIO_USE_VFS: 'local',
    // In its network namespace WebKit would report `navigator.onLine` as false, though the proxy is reachable.
    GIO_USE_NETWORK_MONITOR: 'base',
    LIBGL_ALWAYS_SOFTWARE: '1',
    WEBKIT_DISABLE_DMABUF_RENDERER: '1',
    // Frees screen-sized buffers to the system at once: glibc would keep 10 MB of them in the X server.
    MALLOC_MMAP_THRESHOLD_: String(128 * 1024),
    ...(sandbox ? {} : { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }),
  };
}

/** Command line by which `host/shown-window.js` starts an encoder. */
const encoderOf = ({ binaries, encoderRegistry }: HostOptions) =>
  encoderRegistry === undefined
    ? null
    : {
        argv: [binaries.gjs, '-m', join(hostFiles, 'encoder.js')],
        environment: { GST_REGISTRY: encoderRegistry, GST_REGISTRY_UPDATE: 'no' },
      };

/** Settings of `host/main.js`. */
function configuration(options: HostOptions, proxyPort: number, display: Display) {
  const { directory, device, sandbox } = options;
  const paths = pathsIn(directory);
  return {
    socket: paths.host,
    state: paths.state,
    scratch: paths.scratch,
    downloads: paths.downloads,
    sandbox,
    display: display.command,
    encoder: encoderOf(options),
    touchscreen: { path: display.touchscreen, ...display.size, scale: device.device_pixel_ratio },
    keyboard: { path: display.keyboard },
    /** Address of the proxy: on the browser's own loopback in namespaces, else on the node's. */
    proxy: { socket: paths.proxy, port: proxyPort },
    scripts: {
      service: paths.service,
      surface: join(hostFiles, 'surface.js'),
      finger: join(hostFiles, 'finger.js'),
      noise: join(hostFiles, 'noise.js'),
    },
  };
}

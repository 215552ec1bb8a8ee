import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { archetypeCatalogue, findArchetype } from '../../../../contracts/archetypes.ts';
import { prepareDisplay } from '../../../fleet/webkit/display.ts';
import { debianBinaries } from '../../../fleet/webkit/requirements.ts';
import { freePort } from '../../../platform/free-port.ts';
import { until } from '../../testbed/until.ts';

/** A browser without the service, driven by plain W3C WebDriver. */
export interface BareBrowser {
  navigate(url: string): Promise<unknown>;
  tap(selector: string): Promise<unknown>;
  close(): Promise<void>;
}

const webDriver = '/usr/bin/WebKitWebDriver';
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/** Rejects where the program is not installed. */
type Start = (command: readonly string[], environment: NodeJS.ProcessEnv) => Promise<ChildProcess>;

export async function startBareBrowser(): Promise<BareBrowser> {
  const directory = await mkdtemp(join(tmpdir(), 'bare-'));
  const started: ChildProcess[] = [];
  const close = async () => {
    for (const process of started.reverse()) await ended(process);
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  const start: Start = async (command, environment) => {
    const [program = '', ...args] = command;
    const env = { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: directory, ...environment };
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], env });
    await once(child, 'spawn');
    started.push(child);
    return child;
  };
  try {
    const environment = await startDisplay(directory, start);
    const port = await freePort();
    await start([webDriver, `--port=${port}`], environment);
    const base = `http://127.0.0.1:${port}`;
    await until(async () => (await fetch(`${base}/status`).catch(() => undefined))?.ok === true);
    const session = await openSession(base);
    return { ...commands(`${base}/session/${session}`), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startDisplay(directory: string, start: Start): Promise<NodeJS.ProcessEnv> {
  const device = findArchetype(archetypeCatalogue.default);
  if (!device) throw new Error('The catalogue does not have its default.');
  const display = await prepareDisplay(debianBinaries.xorg, directory, device);
  const { stdout } = await start(display.command, {});
  if (!stdout) throw new Error('The display has no output.');
  const [number] = (await once(createInterface({ input: stdout }), 'line')) as [string];
  return {
    ...display.environment,
    DISPLAY: `:${number}`,
    GDK_BACKEND: 'x11',
    GDK_SCALE: String(device.device_pixel_ratio),
    NO_AT_BRIDGE: '1',
    LIBGL_ALWAYS_SOFTWARE: '1',
    WEBKIT_DISABLE_DMABUF_RENDERER: '1',
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
  };
}

async function openSession(base: string): Promise<string> {
  const host = join(import.meta.dirname, 'bare-host.js');
  const alwaysMatch = {
    'webkitgtk:browserOptions': { binary: debianBinaries.gjs, args: ['-m', host] },
  };
  const { sessionId } = (await command(`${base}/session`, { capabilities: { alwaysMatch } })) as {
    readonly sessionId: string;
  };
  return sessionId;
}

function commands(url: string): Omit<BareBrowser, 'close'> {
  return {
    navigate: (address) => command(`${url}/url`, { url: address }),
    tap: async (selector) => {
      const element = await command(`${url}/element`, { using: 'css selector', value: selector });
      await command(`${url}/actions`, { actions: [finger(element as object)] });
    },
  };
}

/** @throws if WebDriver answers with an error */
async function command(url: string, body: object): Promise<unknown> {
  const answer = await request(url, { method: 'POST', body: JSON.stringify(body) });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${text}`);
  return (JSON.parse(text) as { readonly value: unknown }).value;
}

/** One tap in the middle of an element, see https://www.w3.org/TR/webdriver2/#actions. */
const finger = (element: object) => ({
  type: 'pointer',
  id: 'finger',
  parameters: { pointerType: 'touch' },
  actions: [
    {
      type: 'pointerMove',
      duration: 0,
      x: 0,
      y: 0,
      origin: { [elementKey]: Object.values(element)[0] as unknown },
    },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ],
});

async function ended(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const gone = once(process, 'exit');
  process.kill('SIGKILL');
  await gone;
}

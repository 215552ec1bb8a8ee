import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mkdir, rm } from 'node:fs/promises';
import type { Logger } from 'pino';
import { request } from 'undici';
import { archetypeCatalogue, findArchetype } from '../../../contracts/archetypes.ts';
import { startInstance } from '../../fleet/webkit/instance.ts';
import { namespacesRefused } from '../../fleet/webkit/namespaces.ts';
import { openPage } from '../../fleet/webkit/page.ts';
import { debianBinaries } from '../../fleet/webkit/requirements.ts';
import { parseAllowList } from '../../outbound/address-policy.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';

/** The browser of a session without the service around it, asked by plain W3C WebDriver. */
export interface BareBrowser {
  navigate(url: string): Promise<unknown>;
  tap(selector: string): Promise<unknown>;
  /** By the host: WebDriver's own waits for a paint, which a still page never makes. */
  screenshot(): Promise<unknown>;
  close(): Promise<void>;
}

const limitMs = 30_000;
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

export async function startBareBrowser(logger: Logger): Promise<BareBrowser> {
  // Short: it is part of a socket's address.
  const runtimeDir = join(tmpdir(), `bare-${randomBytes(4).toString('hex')}`);
  await mkdir(runtimeDir, { mode: 0o700 });
  const archetype = findArchetype(archetypeCatalogue.default);
  if (!archetype) throw new Error('The catalogue does not have its default.');
  const instance = await startInstance({
    binaries: debianBinaries,
    guard: createOutboundGuard({ allow: parseAllowList('127.0.0.0/8') }),
    logger,
    directory: join(runtimeDir, 'browser'),
    device: archetype,
    sandbox: process.getuid?.() !== 0,
    namespaces: (await namespacesRefused(debianBinaries.bubblewrap, runtimeDir)) === undefined,
    ownPorts: new Set(),
    startMs: limitMs,
    pageLoad: 'normal',
  });
  await instance.host.send('identify', archetype, AbortSignal.timeout(limitMs));
  const page = openPage(instance);
  const ask = (path: string, body: object) => command(`${instance.webDriver.url}${path}`, body);
  return {
    navigate: (url) => ask('/url', { url }),
    tap: async (selector) => {
      const found = await ask('/element', { using: 'css selector', value: selector });
      await ask('/actions', { actions: [finger((found as { readonly value: object }).value)] });
    },
    screenshot: () => page.screenshot({ timeoutMs: limitMs, signal: AbortSignal.timeout(limitMs) }),
    close: async () => {
      await instance.close();
      await rm(runtimeDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** @throws when WebDriver answers with an error */
async function command(url: string, body: object): Promise<unknown> {
  const answer = await request(url, { method: 'POST', body: JSON.stringify(body) });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${text}`);
  return JSON.parse(text);
}

/** One tap in the middle of an element, as https://www.w3.org/TR/webdriver2/#actions has it. */
const finger = (element: object) => ({
  type: 'pointer',
  id: 'finger',
  parameters: { pointerType: 'touch' },
  actions: [
    { type: 'pointerMove', duration: 0, x: 0, y: 0, origin: { [elementKey]: idOf(element) } },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ],
});

const idOf = (element: object): unknown => Object.values(element)[0];

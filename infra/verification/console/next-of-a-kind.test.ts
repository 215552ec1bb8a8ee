import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { bundleConsole } from '../../main/bootstrap/console.mjs';
import { tempDir } from '../testbed/index.ts';
import { useBrowser } from './reader.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };
const at = '2026-01-01T00:00:00.000Z';
const made = 'key_0197f1a0-0000-7000-8000-000000000001';
const maker = 'key_0197f1a0-0000-7000-8000-000000000002';
const keyOf = (id: string) => ({
  ...{ id, name: id === made ? 'of a robot' : 'of its owner', prefix: 'svc_live', last4: 'abcd' },
  ...{ scopes: ['read'], status: 'active', created_at: at, last_used_at: null, expires_at: null },
  ...{ revoked_at: null, created_by: id === made ? { api_key_id: maker } : null },
});

/** What the service answers to the pages of two keys. */
function answerTo(path: string): unknown {
  if (path === '/v1/account/me') return { id: 'acc_1', email: 'ada@example.org', teams: [] };
  if (path === `/v1/api-keys/${made}/rotate`) return { key: 'svc_live_new', previous: { expires_at: at } };
  if (path.startsWith('/v1/api-keys/')) return keyOf(basename(path));
  return { data: [], has_more: false, next_cursor: '' };
}

describe('a page of the console that is left for another of its kind', function () {
  this.timeout(120_000);
  const browser = useBrowser();
  const directory = tempDir('console');
  let server: Server;
  before(async () => {
    await bundleConsole({ root, directory });
    server = createServer(({ url = '/' }, response) => {
      const { pathname } = new URL(url, 'http://console.test');
      const file = join(directory, basename(pathname));
      if (pathname.startsWith('/v1/'))
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answerTo(pathname)));
      else if (extname(file) !== '' && existsSync(file))
        response.setHeader('Content-Type', types[extname(file)] ?? 'text/html').end(readFileSync(file));
      else response.setHeader('Content-Type', 'text/html').end(readFileSync(join(directory, 'index.html')));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('takes the secret with it that was shown once', async () => {
    const context = await browser().newContext();
    const page = await context.newPage();
    await page.addInitScript("sessionStorage.setItem('service_key', 'svc_live_1')");
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/console/keys/${made}`);
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByText('svc_live_new').waitFor();
    await page.locator(`a[href$="${maker}"]`).click();
    await page.getByRole('heading', { name: 'of its owner' }).waitFor();
    expect(await page.getByText('svc_live_new').count()).to.equal(0);
    await context.close();
  });
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import type { Browser, Driver } from '../../fleet/node/driver.ts';
import { failure, launch, run, startDriver } from '../../fleet/webkit/testing/browser.ts';
import { parseAllowList } from '../../outbound/address-policy.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import { lookupAll } from '../../outbound/lookup.ts';
import { createInternalAddresses } from '../../outbound/internal-addresses.ts';
import { until } from '../testbed/index.ts';

/** Every way in which a page can make its browser send a request. `to` is the target, `way` names it in the address. */
const page = (to: string) => `<!doctype html><title>loading</title>
<link rel="stylesheet" href="${to}/style"><link rel="preload" as="fetch" href="${to}/preload">
<link rel="prefetch" href="${to}/prefetch"><link rel="dns-prefetch" href="${to}"><link rel="preconnect" href="${to}">
<link rel="icon" href="${to}/icon"><style>@import "${to}/import"; @font-face { font-family: f; src: url("${to}/font"); } body { font-family: f; }</style>
<body><img src="${to}/image"><video src="${to}/video" autoplay muted></video><audio src="${to}/audio" autoplay muted></audio>
<video><source src="${to}/source"></video><iframe src="${to}/frame"></iframe><object data="${to}/object"></object><embed src="${to}/embed">
<script src="${to}/script"></script><script type="module" src="${to}/module"></script>text
<script>
  const quietly = (work) => { try { return work(); } catch { return undefined; } };
  quietly(() => fetch('${to}/fetch', { mode: 'no-cors' }).catch(() => 0));
  quietly(() => { const x = new XMLHttpRequest(); x.open('POST', '${to}/xhr'); x.send('x'); });
  quietly(() => navigator.sendBeacon('${to}/beacon', 'x'));
  quietly(() => new EventSource('${to}/events'));
  quietly(() => new WebSocket('${to}/socket'.replace('http', 'ws')));
  quietly(() => new Worker('${to}/worker'));
  quietly(() => { const form = document.createElement('form'); form.target = 'x'; form.method = 'post'; form.action = '${to}/form';
    const frame = document.createElement('iframe'); frame.name = 'x'; document.body.append(frame, form); form.submit(); });
  quietly(() => { const link = document.createElement('a'); link.download = 'x'; link.href = '${to}/download'; document.body.append(link); link.click(); });
  setTimeout(() => { document.title = [typeof RTCPeerConnection, typeof navigator.mediaDevices?.getUserMedia].join(); }, 700);
</script>`;

interface Site {
  readonly port: number;
  readonly asked: Set<string>;
  close(): Promise<void>;
}

/** Answers everything with the page that requests the address in its query. */
async function startSite(host: string): Promise<Site> {
  const asked = new Set<string>();
  const server: Server = createServer((request, reply) => {
    const url = new URL(request.url ?? '/', 'http://site');
    asked.add(url.pathname);
    reply
      .setHeader('content-type', 'text/html')
      .end(page(url.searchParams.get('to') ?? 'http://nowhere.invalid'));
  });
  server.on('upgrade', (request, socket) => {
    asked.add(String(request.url));
    socket.destroy();
  });
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { port: typeof address === 'object' && address !== null ? address.port : 0, asked, close };
}

describe('what a page can make its browser reach', function () {
  this.timeout(90_000);
  let open: Site;
  let forbidden: Site;
  /** Port of another node of the same machine. */
  let internal: Site;
  let driver: Driver;
  let browser: Browser;
  let answers: string[] = [];

  before(async () => {
    [open, forbidden] = [await startSite('127.0.0.1'), await startSite('127.0.0.2')];
    internal = await startSite('0.0.0.0');
    const guard = createOutboundGuard({
      allow: parseAllowList('127.0.0.1'),
      internal: createInternalAddresses({ own: [`127.0.0.1:${internal.port}`], lookup: lookupAll }),
      // Pages that are still open request other names.
      lookup: async (name) => [(name === 'rebinding.test' && answers.shift()) || '127.0.0.2'],
    });
    driver = await startDriver({ guard });
    browser = await launch(driver);
  });
  after(async () => {
    await browser.close();
    await driver.close();
    await Promise.all([open.close(), forbidden.close(), internal.close()]);
  });

  const title = async () => (await run(browser, 'state_capture', null)).title;
  const show = async (to: string) => {
    await run(browser, 'navigate', {
      url: `http://127.0.0.1:${open.port}/?to=${encodeURIComponent(to)}`,
      wait_until: 'domcontentloaded',
    });
    return until(async () => (await title()) !== 'loading' && title(), { limitMs: 20_000, everyMs: 100 });
  };

  it('is nothing that is forbidden: no picture, font, frame, script, film, socket, beacon, worker, form or download', async () => {
    await show(`http://127.0.0.1:${open.port}/open`);
    // Where it is allowed, the page does send all of the requests.
    for (const way of [
      'style',
      'image',
      'video',
      'audio',
      'frame',
      'script',
      'fetch',
      'xhr',
      'beacon',
      'events',
      'socket',
      'form',
    ])
      await until(() => open.asked.has(`/open/${way}`), { limitMs: 10_000 });
    await show(`http://127.0.0.2:${forbidden.port}`);
    await show(`http://localhost:${forbidden.port}`);
    await show(`http://[::ffff:127.0.0.2]:${forbidden.port}`);
    expect([...forbidden.asked]).to.deep.equal([]);
  });

  it('is no part of the service, even if all else around it is open', async () => {
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '127.1'])
      await show(`http://${host}:${internal.port}`);
    const refused = await failure(
      run(browser, 'navigate', { url: `http://127.0.0.1:${internal.port}/metrics` }),
    );
    expect(refused.reason).to.include("the service's own");
    expect([...internal.asked]).to.deep.equal([]);
  });

  it('is nothing past the proxy: there is no WebRTC and no camera', async () => {
    expect(await show(`http://127.0.0.1:${open.port}/open`)).to.equal('undefined,undefined');
  });

  it('is checked again at each connection: a name whose address is no longer public reaches nothing', async () => {
    const url = `http://rebinding.test:${open.port}/?to=http://rebinding.test:${forbidden.port}`;
    answers = ['127.0.0.1'];
    await run(browser, 'navigate', { url, wait_until: 'domcontentloaded' });
    await until(async () => (await title()) !== 'loading', { limitMs: 20_000, everyMs: 100 });
    const refused = await failure(run(browser, 'navigate', { url }));
    expect(refused.reason).to.include('rebinding.test is not allowed');
    expect([...forbidden.asked]).to.deep.equal([]);
  });

  it('is no local file, and no script in an address', async () => {
    for (const url of [
      'file:///etc/passwd',
      'data:text/html,<h1>x',
      'javascript:1',
      'webkit://gpu',
      'blob:x',
      'ftp://127.0.0.1/',
    ])
      expect((await failure(run(browser, 'navigate', { url }))).reason, url).to.include('Only absolute http');
  });
});

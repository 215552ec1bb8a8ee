import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';

/** Pages for the browser's tests, on loopback. */
export interface TestSite {
  readonly url: string;
  /** Method and path of every request so far. */
  readonly requests: string[];
  close(): Promise<void>;
}

const html = (title: string, body: string) =>
  `<!doctype html><html><head><meta name="viewport" content="width=device-width"><title>${title}</title></head><body>${body}</body></html>`;

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>';

const pages: Readonly<Record<string, string>> = {
  '/': html(
    'Home',
    `<h1>Welcome</h1><a id="next" href="/next">Next</a>
     <p id="hidden" style="display:none">Concealed</p>
     <ul><li class="item" data-id="7"><a href="/a">Apple</a><b class="price">$1,204.50</b></li>
         <li class="item" data-id="8"><a href="/b">Pear</a><b class="price">3</b></li></ul>
     <div style="height:3000px"></div><p id="bottom">Bottom</p>
     <script>for (const key of ['theme', 'key', 'length', 'clear', 'toString']) localStorage.setItem(key, 'dark'); setTimeout(() => {
       const late = document.createElement('p'); late.id = 'late'; late.textContent = 'Late news'; document.body.append(late);
     }, 150);</script>`,
  ),
  '/next': html('Next', '<h1>Next page</h1>'),
  '/odd-links': html(
    'Odd links',
    '<a href="/a">a</a><a href="http://">b</a><a href="https://exa mple.test">c</a>',
  ),
  '/form': html(
    'Form',
    `<input id="name"><input id="mail" type="email" value="a@b"><input id="agree" type="checkbox">
     <select id="size"><option value="s">Small</option><option value="l">Large</option></select>
     <button id="go">Go</button><div id="pad" style="width:200px;height:100px;background:#ccc"></div><pre id="log"></pre>
     <script>
       const log = (line) => { document.querySelector('#log').textContent += line + ';'; };
       for (const type of ['touchstart', 'touchend', 'click', 'dblclick']) go.addEventListener(type, (e) => log(type));
       pad.addEventListener('touchstart', () => log('down')); pad.addEventListener('touchend', () => log('up'));
       pad.addEventListener('touchmove', () => log('moved'), { once: true });
       size.addEventListener('change', () => log('size ' + size.value));
       addEventListener('keydown', (e) => { if (e.key === 'Enter') log('enter' + (e.shiftKey ? ' shift' : '')); });
     </script>`,
  ),
  '/identity': html(
    'Identity',
    `<pre id="who"></pre><script>who.textContent = JSON.stringify({
      platform: navigator.platform, touch: navigator.maxTouchPoints, start: 'ontouchstart' in window,
      inner: [innerWidth, innerHeight], screen: [screen.width, screen.height], ratio: devicePixelRatio,
      driven: navigator.webdriver, agent: navigator.userAgent, rtc: typeof RTCPeerConnection });</script>`,
  ),
  '/device': html(
    'Device',
    `<pre id="who"></pre><script>who.textContent = JSON.stringify({
      focus: document.hasFocus(), online: navigator.onLine,
      width: [375, 393].find((width) => matchMedia('(device-width: ' + width + 'px)').matches) });</script>`,
  ),
  '/login': html(
    'Sign in',
    '<form method="post" action="/login"><input name="user"><input name="pass" type="password"><button>Sign in</button></form>',
  ),
  '/code': html(
    'Code',
    '<form method="post" action="/code"><input name="otp" autocomplete="one-time-code"><button>Go</button></form>',
  ),
  '/account': html('Account', '<h1 id="in">Signed in</h1>'),
  '/dialog': html(
    'Dialog',
    '<button id="ask" onclick="alert(1); document.title = String(confirm(2))">Ask</button>',
  ),
  '/mitigated': html('Wait', 'One moment'),
  '/walled': html('Walled', '<h1>Stop</h1><iframe src="/_Incapsula_Resource?a=1"></iframe>'),
  '/unwalled': html('Free', '<iframe style="visibility:hidden" src="/_Incapsula_Resource?a=1"></iframe>'),
  '/window': html('Opener', '<a id="other" target="_blank" href="/next">Other</a>'),
  '/loop': html('Loop', '<button id="loop" onclick="for (;;);">Loop</button>'),
  '/work': html(
    'Work',
    `<button id="work">Work</button><input id="name"><script>
       work.onclick = () => { const end = Date.now() + 4_000; while (Date.now() < end); document.title = 'Done'; };
     </script>`,
  ),
  '/busy': html('Busy', '<script>setTimeout(() => { for (;;); }, 100)</script>'),
  '/big': html('Big', `<p>${'x'.repeat(200_000)}</p>`),
  '/results': html(
    'Results',
    '<div class="r"><a href="/next">One</a><p>First</p></div><div class="r"><a href="/form">Two</a></div>',
  ),
};

type Headers = Readonly<Record<string, string | string[]>>;

const headers: Readonly<Record<string, Headers>> = {
  '/': { 'set-cookie': ['secret=1; HttpOnly; Max-Age=3600; SameSite=Lax', 'plain=2'] },
  '/mitigated': { 'cf-mitigated': 'challenge' },
};

export async function startTestSite(host = '127.0.0.1'): Promise<TestSite> {
  const requests: string[] = [];
  const server = createServer((request, reply) => {
    requests.push(`${request.method} ${request.url}`);
    void answer(request, reply);
  });
  const upgraded = new Set<Duplex>();
  server.on('upgrade', (request, socket) => {
    upgraded.add(socket);
    socket.on('error', () => socket.destroy());
    requests.push(`UPGRADE ${request.url}`);
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.write(Buffer.from([0x81, 2, 0x68, 0x69]));
  });
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://${host}:${port}`,
    requests,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
      await closed;
    },
  };
}

async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://site');
  const to = url.searchParams.get('to') ?? '/';
  if (url.pathname === '/never') return;
  if (url.pathname === '/picture') return void reply.setHeader('content-type', 'image/svg+xml').end(picture);
  if (url.pathname === '/redirect') return void reply.writeHead(302, { location: to }).end();
  if (url.pathname === '/image')
    return respond(
      reply,
      html(
        'Image',
        `<img onload="document.title = 'shown'" onerror="document.title = 'broken'" src="${to}">`,
      ),
    );
  if (url.pathname === '/socket') {
    const script = `const s = new WebSocket('${to}'); s.onmessage = (m) => { document.title = m.data; };
      s.onerror = () => { document.title = 'refused'; };`;
    return respond(reply, html('Socket', `<script>${script}</script>`));
  }
  if (request.method === 'POST') {
    const fields = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    return void reply.writeHead(303, { location: afterPost(url.pathname, fields) }).end();
  }
  const page = pages[url.pathname];
  respond(reply, page ?? html('Missing', 'Missing'), page === undefined ? 404 : 200, headers[url.pathname]);
}

function afterPost(path: string, fields: URLSearchParams): string {
  if (path === '/code') return fields.get('otp') === '123456' ? '/account' : '/code';
  if (fields.get('pass') === 'needs code') return '/code';
  return fields.get('user') === 'ada' && fields.get('pass') === 'right' ? '/account' : '/login';
}

function respond(reply: ServerResponse, body: string, status = 200, more: Headers = {}): void {
  reply.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...more }).end(body);
}

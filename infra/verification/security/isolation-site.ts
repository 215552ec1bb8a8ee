import { once } from 'node:events';
import { createServer } from 'node:http';

/** Stores and looks up a text in every kind of storage of a page; `#out` shows the result. */
const page = `<!doctype html><meta name="viewport" content="width=device-width"><title>Isolation</title>
<style>button, input, pre { display: block; height: 24px; margin: 4px }</style>
<input id="text"><input id="other"><pre id="out"></pre><pre id="log"></pre>
<button id="write">write</button><button id="read">read</button><button id="copy">copy</button>
<button id="focused">focused</button>
<script>
  const $ = (id) => document.getElementById(id);
  const show = (value) => { $('out').textContent = String(value) || 'nothing'; };
  const on = (id, work) => $(id).addEventListener('click', async () => {
    show('…');
    try { show(await work()); } catch (error) { show(error.name); }
  });
  on('write', async () => { await navigator.clipboard.writeText($('text').value); return 'done'; });
  on('read', () => navigator.clipboard.readText());
  on('copy', () => { $('text').select(); return document.execCommand('copy') ? 'done' : 'refused'; });
  for (const type of ['blur', 'focus']) {
    addEventListener(type, () => { $('log').textContent += 'window ' + type + ';'; });
    $('text').addEventListener(type, () => { $('log').textContent += 'field ' + type + ';'; });
  }
  setInterval(() => {
    $('focused').textContent = [document.hasFocus(), document.activeElement.id, document.querySelector(':focus')?.id].join();
  }, 20);

  const database = () => new Promise((resolve, reject) => {
    const request = indexedDB.open('kept');
    request.onupgradeneeded = () => request.result.createObjectStore('texts');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const requested = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result ?? '');
    request.onerror = () => reject(request.error);
  });
  const texts = async (mode) => (await database()).transaction('texts', mode).objectStore('texts');
  const stores = {
    cookie: { put: (text) => { document.cookie = 'kept=' + text + '; max-age=600'; }, get: () => document.cookie },
    local: { put: (text) => localStorage.setItem('kept', text), get: () => localStorage.getItem('kept') ?? '' },
    session: { put: (text) => sessionStorage.setItem('kept', text), get: () => sessionStorage.getItem('kept') ?? '' },
    indexed: { put: async (text) => requested((await texts('readwrite')).put(text, 'kept')), get: async () => requested((await texts('readonly')).get('kept')) },
    cache: {
      put: async (text) => (await caches.open('kept')).put('/kept', new Response(text)),
      get: async () => (await (await caches.match('/kept'))?.text()) ?? '',
    },
    worker: {
      put: async (text) => { await navigator.serviceWorker.register('/worker?' + text); await navigator.serviceWorker.ready; },
      get: async () => ((await navigator.serviceWorker.getRegistrations())[0]?.active?.scriptURL ?? '').split('?')[1] ?? '',
    },
    http: { put: async () => (await fetch('/cached')).text(), get: async () => (await fetch('/cached')).text() },
  };
  (async () => {
    const [, store, verb, text] = location.hash.split('/');
    if (store) { try { show((await stores[store][verb](text)) ?? 'done'); } catch (error) { show(error); } }
  })();
</script>`;

/** One site that several accounts have open at once. */
export interface IsolationSite {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export async function startIsolationSite(): Promise<IsolationSite> {
  let answers = 0;
  const server = createServer((request, reply) => {
    if (request.url === '/cached') {
      answers += 1;
      reply.setHeader('cache-control', 'max-age=600').end(`answer ${answers}`);
    } else if (request.url?.startsWith('/worker')) {
      reply.setHeader('content-type', 'text/javascript').end('addEventListener("fetch", () => undefined)');
    } else {
      reply.setHeader('content-type', 'text/html; charset=utf-8').end(page);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    // A name below `.localhost` is trusted like https: without that pages have neither clipboard nor workers.
    url: `http://localhost:${port}`,
    port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

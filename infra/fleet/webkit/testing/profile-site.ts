import { once } from 'node:events';
import { createServer } from 'node:http';

/** A site that stores data in every way, and shows what it has stored. */
export interface ProfileSite {
  readonly url: string;
  /** `Cookie` header of the last request for a page. */
  readonly cookies: () => string;
  /** Number of requests for a page. */
  readonly asked: (path: string) => number;
  close(): Promise<void>;
}

/** A service worker that answers `/from-worker` from its cache, without the network. */
const worker = `
  addEventListener('install', () => skipWaiting());
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => {
    if (event.request.url.endsWith('/from-worker')) event.respondWith(caches.match('/cached'));
  });`;

const functions = `
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7919) >> 3);
  const settled = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = request.oncomplete = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const openDatabase = () => {
    const request = indexedDB.open('things', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('things');
    return settled(request);
  };
  const say = (what) => document.body.append(Object.assign(document.createElement('pre'), { id: 'said', textContent: what }));
  const tell = (work) => work().then((what) => say(JSON.stringify(what ?? 'done')), (error) => say(String(error)));`;

/** Writes to local storage last, because WebKit writes that late. */
const write = `
  tell(async () => {
    sessionStorage.setItem('draft', 'half \\u{1F600} a "sentence"');
    sessionStorage.setItem('length', '3');
    const database = await openDatabase();
    const transaction = database.transaction('things', 'readwrite');
    transaction.objectStore('things').put(bytes, 'bytes');
    await settled(transaction);
    await (await caches.open('pages')).put('/cached', new Response('from the cache'));
    await navigator.serviceWorker.register('/worker.js');
    await navigator.serviceWorker.ready;
    localStorage.setItem('theme', 'dark \\u00e9');
  });`;

const read = `
  const first = sessionStorage.getItem('draft');
  tell(async () => {
    const database = await openDatabase();
    const stored = await settled(database.transaction('things').objectStore('things').get('bytes'));
    return {
      theme: localStorage.getItem('theme'),
      draft: first,
      length: sessionStorage.getItem('length'),
      same: stored !== undefined && stored.length === bytes.length && stored.every((byte, at) => byte === bytes[at]),
      cached: (await (await caches.match('/cached'))?.text()) ?? null,
      controlled: navigator.serviceWorker.controller !== null,
      offline: await fetch('/from-worker').then((reply) => reply.text()),
    };
  });`;

const pages: Readonly<Record<string, string>> = {
  '/write': write,
  '/read': read,
  '/draft': `sessionStorage.setItem('draft', 'of ' + location.port); localStorage.setItem('of', location.port); tell(async () => sessionStorage.getItem('draft'));`,
  '/drafts': `tell(async () => ({ ...sessionStorage }));`,
  '/forget': `const had = sessionStorage.getItem('draft'); sessionStorage.clear(); tell(async () => had);`,
  '/clear': `localStorage.clear(); tell(async () => localStorage.length);`,
  '/opener': `document.body.insertAdjacentHTML('beforeend', '<a href="/busy-writer" target="_blank">open</a>'); tell(async () => 'open');`,
  '/busy-writer': `setInterval(() => localStorage.setItem('now', Math.random() + 'x'.repeat(1e5)), 5); tell(async () => 'writing');`,
  '/last-word': `localStorage.setItem('word', location.search); tell(async () => localStorage.getItem('word'));`,
  '/hoard': `for (let n = 0; n < 2200; n += 1) document.cookie = 'c' + n + '=' + 'x'.repeat(4000) + '; path=/none; max-age=9999999'; tell(async () => 'done');`,
  '/word': `tell(async () => localStorage.getItem('word'));`,
};

export async function startProfileSite(): Promise<ProfileSite> {
  let cookies = '';
  const counts = new Map<string, number>();
  const server = createServer(({ url = '/', headers }, reply) => {
    const path = url.split('?')[0] ?? '/';
    if (path === '/worker.js')
      return void reply.writeHead(200, { 'content-type': 'text/javascript' }).end(worker);
    const page = pages[path];
    if (page === undefined) return void reply.writeHead(404).end('from the network');
    cookies = headers.cookie ?? '';
    counts.set(path, (counts.get(path) ?? 0) + 1);
    if (path === '/write')
      reply.setHeader('set-cookie', [
        'kept=1; Max-Age=100000; Path=/; HttpOnly; SameSite=Strict',
        'session=2; Path=/; SameSite=Lax',
        'narrow=3; Max-Age=100000; Path=/narrow',
      ]);
    reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    reply.end(`<!doctype html><body><script>${functions}${page}</script>`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    cookies: () => cookies,
    asked: (path) => counts.get(path) ?? 0,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

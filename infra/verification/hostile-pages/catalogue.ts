import type { ServerResponse } from 'node:http';
import type { Bounds } from '../../fleet/webkit/bounds.ts';
import { answersWith, downloadWithoutEnd, hintsWithoutEnd, longText } from './streams.ts';

/**
 * Bounds so small that a page reaches them within seconds. An idle page has some 100 MB, 80 threads and 1 MB on disk.
 */
export const smallBounds = { BROWSER_MEMORY: '500MiB', BROWSER_THREADS: '300', BROWSER_DISK: '32MiB' };

/** A page that uses all it can get, or an ordinary one. */
export interface VisitedPage {
  /** Its path, without the slash. */
  readonly name: string;
  /** `{{origins}}` is replaced by a list of origins that serve the same pages. */
  readonly body: string | ((reply: ServerResponse) => void);
  /** The bound that ends its browser. Without one the browser may survive or not; other sessions are unaffected. */
  readonly passes?: keyof Bounds;
  /** The operation of a customer once it is open. */
  readonly then?: { readonly operation: 'capture' | 'interact'; readonly body: object };
}

const script = (source: string): string =>
  `<!doctype html><title>Open</title><body><script>${source}</script>`;
const workers = (count: number, program: string): string => `
  const program = URL.createObjectURL(new Blob([${JSON.stringify(program)}]));
  const kept = Array.from({ length: ${count} }, () => new Worker(program));`;

export const hostilePages: readonly VisitedPage[] = [
  {
    // Bytes other than zero, so that memory is really allocated; in pieces, so that the page stays responsive.
    name: 'memory',
    body: script(`
      const kept = [];
      setInterval(() => kept.length < 256 && kept.push(new Uint8Array(16 << 20).fill(1 + kept.length % 255)), 1);`),
    passes: 'memoryBytes',
  },
  {
    name: 'animation',
    body: `<!doctype html><meta name="viewport" content="width=device-width"><title>Open</title><p id="count"></p>
      <canvas id="canvas" width="390" height="700"></canvas><script>
        let painted = 0;
        const context = canvas.getContext('2d');
        const draw = () => {
          painted += 1;
          context.fillStyle = 'hsl(' + (painted % 360) + ' 80% 50%)';
          context.fillRect(0, 0, 390, 700);
          count.textContent = painted;
          requestAnimationFrame(draw);
        };
        requestAnimationFrame(draw);
      </script>`,
  },
  {
    name: 'canvas',
    body: script(`
      const kept = [];
      setInterval(() => {
        const canvas = document.createElement('canvas');
        canvas.width = canvas.height = 16000;
        const context = canvas.getContext('2d');
        context?.fillRect(0, 0, 16000, 16000);
        kept.push(canvas);
        document.body.append(canvas);
      }, 10);`),
    passes: 'memoryBytes',
  },
  {
    name: 'frames',
    body: script(`
      for (let n = 0; n < 10000; n += 1) {
        const frame = document.createElement('iframe');
        frame.srcdoc = '<p>' + n;
        document.body.append(frame);
      }`),
  },
  { name: 'spinning', body: script(workers(64, 'for (;;);')) },
  {
    name: 'threads',
    body: script(
      `setInterval(() => { ${workers(40, 'setInterval(() => {}, 1000)')} self[Math.random()] = kept; }, 50);`,
    ),
    passes: 'threads',
  },
  {
    // Only a tap allows it to open tabs; each tab tries to open more.
    name: 'tabs',
    body: `<!doctype html><title>Open</title><button id="go" style="width:300px;height:300px">Go</button><script>
      go.onclick = () => { for (let n = 0; n < 1000; n += 1) window.open(location.href); };
      setInterval(() => window.open(location.href), 1);</script>`,
    then: { operation: 'interact', body: { action: { kind: 'tap', selector: '#go' }, timeout_ms: 1_000 } },
  },
  {
    name: 'databases',
    body: script(`
      for (const origin of {{origins}}) {
        const frame = document.createElement('iframe');
        frame.src = origin + '/database';
        document.body.append(frame);
      }`),
  },
  {
    // One of the origins: it writes for as long as it can.
    name: 'database',
    body: script(`
      const asked = indexedDB.open('filled');
      asked.onupgradeneeded = () => asked.result.createObjectStore('all', { autoIncrement: true });
      asked.onsuccess = () => {
        const piece = crypto.getRandomValues(new Uint8Array(65536));
        const put = () => {
          const writing = asked.result.transaction('all', 'readwrite');
          for (let n = 0; n < 64; n += 1) writing.objectStore('all').add(piece.slice());
          writing.oncomplete = put;
          writing.onabort = () => setTimeout(put, 100);
        };
        put();
      };`),
    passes: 'diskBytes',
  },
  { name: 'download', body: downloadWithoutEnd },
  {
    name: 'cookies',
    body: script(
      `for (let n = 0; n < 100000; n += 1) document.cookie = 'c' + n + '=' + 'x'.repeat(100) + '; max-age=9999';`,
    ),
  },
  { name: 'text', body: longText },
  // Node can receive these answers, and throws when it is to send them.
  { name: 'trailer', body: answersWith('HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTrailer: x\r\n\r\nOpen') },
  { name: 'status', body: answersWith('HTTP/1.1 099 Open\r\nContent-Length: 0\r\n\r\n') },
  {
    name: 'hints',
    body: script(`for (let n = 0; n < 17; n += 1) fetch('/hint?' + n).catch(() => {});`),
  },
  { name: 'hint', body: hintsWithoutEnd },
  { name: 'alerts', body: script(`for (;;) alert('x'.repeat(1e6));`) },
  {
    name: 'control-characters',
    body: script(`document.body.append(document.createComment('\\u0001'.repeat(95e6)))`),
    then: { operation: 'capture', body: { kind: 'dom_snapshot', timeout_ms: 5_000 } },
  },
  {
    name: 'requests',
    body: script(
      `setInterval(() => { for (let n = 0; n < 100; n += 1) fetch('/never?' + Math.random()).catch(() => {}); }, 10);`,
    ),
  },
  {
    // The address is refused at once, without being dialled.
    name: 'refusals',
    body: script(`
      const ask = () => fetch('http://10.0.0.1/' + Math.random(), { mode: 'no-cors' }).catch(() => {});
      setInterval(() => { for (let n = 0; n < 100; n += 1) ask(); }, 10);`),
  },
  { name: 'nothing-but-work', body: script(`setTimeout(() => { for (;;); }, 100);`) },
];

const article = Array.from(
  { length: 60 },
  (_, n) => `<h2>Chapter ${n + 1}</h2><p>${'What people read on their phones. '.repeat(20)}</p>`,
).join('');

export const ordinaryPages: readonly VisitedPage[] = [
  { name: 'article', body: `<!doctype html><title>Article</title><h1>Article</h1>${article}` },
  {
    name: 'form',
    body: `<!doctype html><title>Form</title><h1>Form</h1><input id="name"><button id="send" onclick="done.textContent = document.querySelector('#name').value">Send</button><p id="done"></p>`,
  },
  {
    name: 'clock',
    body: `<!doctype html><title>Clock</title><h1>Clock</h1><p id="now"></p><script>setInterval(() => { now.textContent = new Date().toISOString(); }, 200)</script>`,
  },
];

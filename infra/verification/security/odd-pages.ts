export interface OddPage {
  /** Completes "where it …". */
  readonly says: string;
  /** Follows its heading; without one, it redirects for ever. */
  readonly page?: string;
  /** The status of navigating there, if not 200; the previous page stays then. */
  readonly fails?: number;
}

/** Escapes for scripts: U+0000, and a lone surrogate, which is not valid in UTF-8 or in a column. */
const nul = '\\u0000';
const lone = '\\ud800';
const script = (source: string) => `<script>${source}</script>`;

/** The longest, deepest and oddest content that a page can have. */
export const oddPages: readonly OddPage[] = [
  {
    says: 'has an address of half a million characters',
    page: script("history.replaceState(0, '', '#' + 'x'.repeat(5e5))"),
  },
  {
    says: 'titles itself with NUL and half a character',
    page: script(`document.title = 'a${nul}b${lone}c'`),
  },
  {
    says: 'sets cookies of odd names, odd letters and four thousand bytes',
    page: script(
      `for (let i = 0; i < 200; i++) document.cookie = 'n' + i + '=' + '\\u20ac${lone}'.repeat(600); document.cookie='=x'; document.cookie='\\ud800=1'; document.cookie='__proto__=1; path=/\\u0001'`,
    ),
  },
  {
    says: 'stores under names of NUL, half a character, prototypes and a million letters',
    page: script(
      `for (const k of ['${nul}', '${lone}', '__proto__', 'constructor', 'toJSON', '', 'x'.repeat(1e6)]) localStorage.setItem(k, k + '${lone}${nul}')`,
    ),
  },
  {
    says: 'names its frames as nobody does',
    page: script(
      `for (const n of ['__proto__', '${nul}${lone}', 'x'.repeat(1e5), 'top', '_blank', 'webkit']) { const f = document.createElement('iframe'); f.name = n; f.srcdoc = '<h1>in</h1>'; document.body.append(f); }`,
    ),
  },
  {
    says: 'suggests names for downloads that are paths, NUL, controls or too long',
    page: script(
      `for (const n of ['../../etc/passwd', '${nul}', '${lone}', '.', '..', 'x'.repeat(5000), '\\u202egnp.exe', 'a/b\\\\c', 'CON', '\\u20ac'.repeat(300)]) { const a = document.createElement('a'); a.download = n; a.href = URL.createObjectURL(new Blob(['x'])); a.click(); }`,
    ),
  },
  {
    says: 'suggests a name for a download as long as a book',
    page: script(
      `{ const a = document.createElement('a'); a.download = 'x'.repeat(1e6); a.href = URL.createObjectURL(new Blob(['x'])); a.click(); }`,
    ),
  },
  {
    says: 'opens hundreds of dialogs, some of them long',
    page: script(
      `setTimeout(() => { alert('x'.repeat(2e7)); confirm('${nul}${lone}'); prompt('x'.repeat(1e6), 'y'.repeat(1e6)); for (let i = 0; i < 200; i++) alert(i) })`,
    ),
  },
  {
    says: 'does not want to be left',
    page: script(
      `addEventListener('beforeunload', (e) => { e.preventDefault(); e.returnValue = 'x'; alert(1); for (let i = 0; i < 50; i++) confirm(i) })`,
    ),
  },
  {
    says: 'prints, closes itself, opens windows and addresses of other programs',
    page: script(
      `print(); window.close(); for (let i = 0; i < 50; i++) { open('about:blank', 'w' + i); } for (const u of ['tel:1', 'mailto:x@y', 'itms://x', 'intent:x', 'javascript:1', 'file:///etc/passwd', 'webkit://gpu', 'resource:///x', 'x-unknown:1']) { const f = document.createElement('iframe'); f.src = u; document.body.append(f) }`,
    ),
  },
  {
    says: 'asks for all permissions and opens all pickers',
    page: script(`const q = (f) => { try { Promise.resolve(f()).catch(() => 0) } catch {} };
    q(() => navigator.geolocation.getCurrentPosition(() => 0, () => 0)); q(() => navigator.geolocation.watchPosition(() => 0)); q(() => Notification.requestPermission()); q(() => navigator.mediaDevices.getUserMedia({ audio: true, video: true }));
    q(() => navigator.mediaDevices.getDisplayMedia()); q(() => document.documentElement.requestFullscreen()); q(() => document.documentElement.webkitRequestFullscreen()); q(() => document.body.requestPointerLock()); q(() => navigator.share({ text: 'x' }));
    q(() => navigator.credentials.get({ publicKey: { challenge: new Uint8Array(32) } })); q(() => navigator.clipboard.readText()); q(() => document.requestStorageAccess()); q(() => DeviceMotionEvent.requestPermission()); q(() => DeviceOrientationEvent.requestPermission());
    q(() => navigator.wakeLock.request()); q(() => navigator.requestMIDIAccess()); q(() => navigator.requestMediaKeySystemAccess('org.w3.clearkey', [{}])); q(() => new PaymentRequest([{ supportedMethods: 'x' }], { total: { label: 'x', amount: { currency: 'USD', value: '1' } } }).show()); q(() => showOpenFilePicker()); q(() => navigator.storage.persist()); q(() => navigator.registerProtocolHandler('web+x', '/%s'));
    for (const type of ['file', 'color', 'date', 'time']) { const i = document.createElement('input'); i.type = type; document.body.append(i); q(() => i.click()); q(() => i.showPicker()); }
    const s = document.createElement('select'); s.innerHTML = '<option>a'.repeat(1000); document.body.append(s); q(() => s.showPicker()); s.dispatchEvent(new MouseEvent('mousedown'))`),
  },
  {
    says: 'has changed its world under every script',
    page: script(
      `Array.prototype.toJSON = Object.prototype.toJSON = String.prototype.toJSON = () => 'mine'; JSON.stringify = () => 'x'.repeat(1e7); JSON.parse = () => ({}); Object.defineProperty(Object.prototype, 'then', { get() { return undefined } }); Object.defineProperty(Object.prototype, 'value', { get: () => 'mine', set() {} }); Array.prototype.map = Array.prototype.filter = () => { throw 1 }; Promise = class {}; String.prototype.slice = () => 'y'; document.querySelector = document.querySelectorAll = () => null; Object.defineProperty(document, 'title', { get: () => 'x'.repeat(1e8) }); Element.prototype.getBoundingClientRect = () => ({ x: NaN, y: Infinity, width: 1e400, height: -0 }); window.setTimeout = () => 0; Map = Set = WeakMap = undefined; window.innerWidth = NaN; Date.now = () => NaN; performance.now = () => NaN`,
    ),
  },
  {
    says: 'nests shadow roots by the thousand',
    page: script(
      `let e = document.body; for (let i = 0; i < 2000; i++) { const d = document.createElement('div'); e.append(d); e = d.attachShadow({ mode: 'open' }); } e.innerHTML = '<button>deep</button>'`,
    ),
  },
  {
    says: 'starts workers of odd names',
    page: script(
      `navigator.serviceWorker?.register('/sw.js?' + 'x'.repeat(1e5)).catch(() => 0); for (let i = 0; i < 20; i++) new Worker(URL.createObjectURL(new Blob(['onmessage = () => 0'])), { name: '${lone}${nul}' + 'x'.repeat(1e5) }); try { new SharedWorker('/sw.js', '${lone}') } catch {}`,
    ),
  },
  {
    says: 'has sizes that are no numbers',
    page: '<input type=number value=1e400><meter value=NaN></meter><p style="width:1e38px;transform:scale(1e30)">x</p>',
  },
  { says: 'redirects for ever', fails: 502 },
];

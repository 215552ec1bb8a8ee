/** A way in which a page may try to reach, through our scripts, what the browser keeps from it. */
export interface PageAttack {
  readonly says: string;
  /** Its markup. `{{victim}}` is the address of the other origin, `{{own}}` that of the attacker's second page. */
  readonly page: string;
  /** The attacker's second page. */
  readonly own?: string;
  /** The element that is read meanwhile; by default in the frame `#v`. */
  readonly frame?: string | readonly string[];
  /** The read must fail with this. By default it must succeed. */
  readonly fails?: RegExp;
  /** The page replaces its frames for a while, and is read afterwards. */
  readonly replaces?: true;
  /** Text is typed into the other origin's frame. */
  readonly types?: true;
}

const victim = '<iframe id="v" src="{{victim}}"></iframe>';
const script = (code: string) => `<script>${code}</script>`;
/** Runs in the page before the frame exists. */
const before = (says: string, code: string, more: Partial<PageAttack> = {}): PageAttack => ({
  says,
  page: `${script(code)}${victim}`,
  ...more,
});
/** Runs in the page after the frame. */
const after = (says: string, code: string, more: Partial<PageAttack> = {}): PageAttack => ({
  says,
  page: `${victim}${script(code)}`,
  ...more,
});
const reopened = (code: string) =>
  `document.open(); addEventListener('message', spy, true); onmessage = spy; ${code}`;
const write = `document.write('<body>' + decodeURIComponent('${encodeURIComponent(victim)}')); document.close();`;

const opened: readonly PageAttack[] = [
  after('opens its document anew and listens first', `onload = () => { ${reopened(write)} }`, {
    types: true,
  }),
  after('opens it while it is being parsed', `setTimeout(() => { ${reopened(write)} })`),
  after('opens it when it is parsed', `addEventListener('DOMContentLoaded', () => { ${reopened(write)} })`),
  after(
    'opens it and never closes it',
    `onload = () => { ${reopened(write.replace('document.close();', ''))} }`,
  ),
  after(
    'opens it and builds a tree without a parser',
    `onload = () => { ${reopened('')} const html = document.createElement('html'); const frame = document.createElement('iframe');
     frame.id = 'v'; frame.src = '{{victim}}'; html.append(document.createElement('body')); document.append(html); document.body.append(frame); }`,
  ),
  after(
    'opens it after the frame has loaded, and moves the frame',
    `v.onload = () => { v.onload = null; const kept = v; ${reopened("document.write('<body>'); document.body.append(kept); document.close();")} }`,
  ),
  after(
    'opens it again and again',
    `let left = 5; const again = () => { if (location.hash) return; ${reopened(write)} if (--left) setTimeout(again, 30); }; onload = again`,
  ),
  {
    says: 'opens a frame of its own origin around the other',
    page: `<iframe id="a" src="about:blank"></iframe>${script(`const d = a.contentDocument; d.open(); a.contentWindow.addEventListener('message', spy, true); d.write(decodeURIComponent('${encodeURIComponent(victim)}')); d.close();`)}`,
    frame: ['#a', '#v'],
  },
  {
    says: 'has a frame that opens itself around the other',
    page: '<iframe id="a" src="{{own}}"></iframe>',
    own: script(`onload = () => { ${reopened(write)} }`),
    frame: ['#a', '#v'],
  },
  {
    says: 'replaces what it has by what a javascript: address gives',
    page: `<iframe id="a" src="javascript:decodeURIComponent('${encodeURIComponent(victim)}')"></iframe>${script(`a.contentWindow?.addEventListener('message', spy, true)`)}`,
    frame: ['#a', '#v'],
  },
];

/** Replaces everything in the page's world by a version that listens. */
const listening = `
  const wrap = (owner, name) => { try { const was = owner[name]; if (typeof was !== 'function') return;
    owner[name] = new Proxy(was, { apply: (f, self, given) => { for (const each of given) if (typeof each === 'string' && each.includes('secret')) take(each); return Reflect.apply(f, self, given); } }); } catch {} };`;
const wrapped = (names: string) =>
  `${listening} for (const owner of [${names}]) for (const name of Object.getOwnPropertyNames(owner)) if (name !== 'constructor') wrap(owner, name);`;

const globals: readonly PageAttack[] = [
  before(
    'listens to every message',
    `addEventListener('message', spy, true); onmessage = spy; document.addEventListener('message', spy, true)`,
  ),
  before(
    'has its own MessageChannel and MessagePort',
    `MessagePort.prototype.postMessage = take; MessageChannel = function () { take('made'); };
     Object.defineProperty(MessageEvent.prototype, 'ports', { get() { take('ports'); return []; } }); Object.defineProperty(MessageEvent.prototype, 'data', { get() { take('data'); } })`,
  ),
  before(
    'has its own postMessage',
    `postMessage = window.postMessage = take; Window.prototype.postMessage = take`,
  ),
  before(
    'has its own addEventListener',
    `const add = EventTarget.prototype.addEventListener; addEventListener = take; EventTarget.prototype.addEventListener = function (type) { if (type !== 'load') take(type); return add.apply(this, arguments); }`,
  ),
  before(
    'has its own Event and stopImmediatePropagation',
    `Event.prototype.stopImmediatePropagation = () => take('stopped'); Event.prototype.composedPath = () => take('path')`,
  ),
  before('has its own arrays, objects and functions', wrapped('Array.prototype, Object, Function.prototype')),
  before(
    'has its own JSON, promises, maps and symbols',
    wrapped(
      'JSON, Promise, Promise.prototype, Map.prototype, Set.prototype, WeakMap.prototype, Symbol, Reflect, String.prototype, RegExp.prototype',
    ),
  ),
  before(
    'gives arrays, maps and promises a species',
    `class Spy extends Array { constructor(...given) { super(...given); take('made'); } }
     Object.defineProperty(Array, Symbol.species, { get: () => Spy }); Object.defineProperty(Promise, Symbol.species, { get() { return function (work) { take('made'); return new Promise(work); } } })`,
  ),
  before(
    'gives all objects setters and toJSON',
    `for (const name of ['value', 'key', 'kind', 'nonce', 'at', 'reply', 'input', 'frame', 'service'])
     Object.defineProperty(Object.prototype, name, { configurable: true, set(given) { if (typeof given === 'string') take(given); }, get() { return undefined; } }); Object.prototype.toJSON = function () { take('toJSON'); }; delete Object.prototype.toJSON`,
  ),
  before(
    'makes every promise its own thenable',
    `const then = Promise.prototype.then; Promise.prototype.then = function (...given) { return then.call(this, (value) => { if (String(value).includes('secret')) take(value); return given[0]?.(value); }, given[1]); }`,
  ),
  before(
    'formats the stacks of errors',
    `Error.prepareStackTrace = (error, stack) => take(String(error)); Error.stackTraceLimit = 1e6; Object.defineProperty(Error.prototype, 'stack', { get: () => take('stack') })`,
  ),
  before(
    'has its own timers, frames and observers',
    `for (const name of ['queueMicrotask', 'structuredClone', 'MutationObserver', 'IntersectionObserver', 'ResizeObserver', 'Worker', 'XMLHttpRequest']) { const was = window[name]; window[name] = function (...given) { take(name); return new.target ? new was(...given) : was(...given); } }`,
  ),
  before(
    'has its own crypto and random numbers',
    `Math.random = () => 0; crypto.getRandomValues = (numbers) => { take('random'); return numbers.fill(0); }; Crypto.prototype.getRandomValues = crypto.getRandomValues`,
  ),
  before(
    'puts proxies in the place of its window',
    `try { window.__proto__.__proto__ = new Proxy({}, { get: (_, name) => take(String(name)), set: (_, name) => take(String(name)) }) } catch {}
     for (const name of ['parent', 'frames', 'self', 'service', 'serviceScript', 'webkit', 'opener', 'length']) try { Object.defineProperty(window, name, { configurable: true, get: () => { take('got ' + name); return window; } }) } catch {}`,
  ),
  before(
    'looks for what our scripts leave behind',
    `onload = () => setTimeout(() => { for (const name of ['service', 'serviceScript', 'webkit', 'viewportTag']) if (name in window && window[name] !== undefined) take(name + ' ' + Object.keys(window[name]?.messageHandlers ?? window[name])); if (performance.getEntriesByType('mark').length) take('marks') }, 50)`,
  ),
  before(
    'asks the handlers of our world by their names',
    `for (const name of ['frames', 'answers', 'dom', 'viewport', 'stored']) try { const handler = window.webkit?.messageHandlers?.[name]; if (handler) { take('handler'); handler.postMessage('{"kind":"find","at":"[0]","nonce":null}').then(take); } } catch (error) { take(String(error)) }`,
  ),
  before(
    'changes what elements say of themselves',
    `for (const name of ['innerText', 'textContent', 'localName', 'isConnected', 'contentWindow', 'contentDocument', 'shadowRoot', 'id'])
     for (const owner of [HTMLElement.prototype, Element.prototype, Node.prototype, HTMLIFrameElement.prototype]) if (Object.getOwnPropertyDescriptor(owner, name)) Object.defineProperty(owner, name, { configurable: true, get() { return null; } })`,
  ),
  before(
    'has its own Intl, Date and performance',
    `performance.now = () => NaN; Date.now = () => NaN; Performance.prototype.now = () => NaN; requestAnimationFrame = take.bind(null, 'frame'); getComputedStyle = () => take('style')`,
  ),
];

const sights: readonly PageAttack[] = [
  after(
    'watches every change of its document',
    `onload = () => setTimeout(() => { new MutationObserver((records) => { for (const { target, type } of records) take(type + ' ' + target.nodeName) }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true }) }, 20)`,
  ),
  before(
    'listens to every event there is',
    `for (const type of ['message', 'messageerror', 'error', 'unhandledrejection', 'rejectionhandled', 'securitypolicyviolation', 'storage', 'hashchanged']) addEventListener(type, (event) => take(type), true)`,
  ),
  before(
    'listens to all that sites share',
    `new BroadcastChannel('service').onmessage = spy; addEventListener('storage', spy); navigator.serviceWorker?.addEventListener('message', spy)`,
  ),
  before(
    'refuses scripts by its policy',
    `document.write('<meta http-equiv="Content-Security-Policy" content="script-src \\'unsafe-inline\\'; require-trusted-types-for \\'script\\'">')`,
  ),
  before(
    'has a service worker',
    `navigator.serviceWorker?.register('/worker.js').catch(() => undefined); navigator.serviceWorker?.addEventListener('message', spy)`,
  ),
  after(
    'has a custom element that looks about when it is touched',
    `customElements.define('x-spy', class extends HTMLElement { static observedAttributes = ['id', 'class', 'data-x']; attributeChangedCallback(name) { take(name); } adoptedCallback() { take('adopted'); } get innerText() { return take('text'); } });
     const closed = document.createElement('x-spy'); document.body.append(closed); closed.attachShadow({ mode: 'closed' }).append(document.createElement('slot'))`,
  ),
];

const forged: readonly PageAttack[] = [
  after(
    'sends its frames what looks like ours',
    `v.onload = () => { for (const data of ['', '[0]', { kind: 'ask', key: '1', name: 'html' }, JSON.stringify({ id: 1, name: 'html', input: '{}' })]) { const { port1, port2 } = new MessageChannel(); port1.onmessage = spy; v.contentWindow.postMessage(data, '*', [port2]); } }; addEventListener('message', spy)`,
  ),
  after(
    'sends its window what looks like ours, of a source that it chooses',
    `const { port1, port2 } = new MessageChannel(); port1.onmessage = spy; for (const data of ['x', { id: 1, name: 'html', input: '{}' }]) dispatchEvent(new MessageEvent('message', { data, source: v.contentWindow, ports: [port2] }))`,
  ),
  {
    says: 'answers in the name of the frame beside it',
    page: `<iframe id="a" src="{{own}}"></iframe>${victim}`,
    own: script(
      `const lie = JSON.stringify({ value: { data: 'a lie' } }); setInterval(() => { for (let id = 0; id < 50; id += 1) for (const to of [parent, top, parent[1]]) { to.postMessage({ id, reply: lie }, '*'); to.postMessage(JSON.stringify({ kind: 'reply', id, reply: lie }), '*'); } }, 20); addEventListener('message', spy, true)`,
    ),
  },
  {
    says: 'has a frame that stands before the other in the order of frames',
    page: `${victim}${script(`setTimeout(() => document.body.prepend(Object.assign(document.createElement('iframe'), { src: '{{own}}' })), 30)`)}`,
    own: '<p id="s">a lie</p>',
  },
  {
    says: 'inserts and removes frames all the time',
    page: `${victim}${script(`let count = 0; const more = setInterval(() => { const f = document.createElement('iframe'); document.body.prepend(f); setTimeout(() => f.remove(), 7); if ((count += 1) > 40) clearInterval(more); }, 5)`)}`,
  },
  after(
    'names its frame as windows and parts of them are',
    `v.name = 'parent'; for (const name of ['top', 'frames', 'service', 'webkit', 'length', 'self']) { const f = document.createElement('iframe'); f.name = f.id = name; document.body.append(f); }`,
  ),
  before(
    'has forms and pictures by the names of what a document has',
    `document.write('<img name="webkit"><img id="crypto"><form name="frames"></form><form id="parent"><input name="id"><input name="parentElement"><input name="isConnected"></form><img name="location">')`,
  ),
  after(
    'has the other frame by its name',
    `v.onload = () => { v.name = 'target'; const got = v.contentWindow; for (const name of ['document', 'localStorage', 'service', 'webkit']) try { take(String(got[name].body ?? got[name])) } catch {} }`,
  ),
  after(
    'floods its frames with messages',
    `v.onload = () => { for (let n = 0; n < 5000; n += 1) v.contentWindow.postMessage('[' + n + ']', '*'); }`,
  ),
];

const documents: readonly PageAttack[] = [
  {
    says: 'has the other in a shadow tree',
    page: `<div id="h"></div>${script(`addEventListener('message', spy); h.attachShadow({ mode: 'open' }).innerHTML = decodeURIComponent('${encodeURIComponent(victim)}')`)}`,
  },
  {
    says: 'has two of the same in shadow trees',
    page: `<div id="g"></div><div id="h"></div>${script(`g.attachShadow({ mode: 'open' }).innerHTML = '<iframe src="{{own}}"></iframe>'; h.attachShadow({ mode: 'open' }).innerHTML = decodeURIComponent('${encodeURIComponent(victim)}')`)}`,
    own: '<p id="s">a lie</p>',
  },
  {
    says: 'has one in a shadow tree that hands on what it hears to the other',
    page: `<div id="h"></div>${script(`h.attachShadow({ mode: 'open' }).innerHTML = '<iframe id="a" src="{{own}}"></iframe>'`)}`,
    own: `${victim}${script(`onload = () => { const kept = document.body.innerHTML; document.open(); addEventListener('message', (event) => { event.stopImmediatePropagation(); frames[0]?.postMessage(event.data, '*'); }, true); document.write(kept); document.close(); }`)}`,
    frame: '#a',
    fails: /not loaded|replaced|not finish|not met/,
  },
  {
    says: 'has the other in a frame of its own source',
    page: `<iframe id="a" srcdoc='${victim.replaceAll('"', '&quot;')}'></iframe>${script(`a.contentWindow.addEventListener('message', spy, true)`)}`,
    frame: ['#a', '#v'],
  },
  {
    says: 'has the other in a frame without an origin',
    page: `<iframe id="a" sandbox="allow-scripts" src="{{own}}"></iframe>`,
    own: `${script(`addEventListener('message', (event) => parent.postMessage({ heard: 1 }, '*'), true)`)}${victim}`,
    frame: ['#a', '#v'],
  },
  {
    says: 'has the other in a frame of a blob',
    page: `<iframe id="a"></iframe>${script(`a.src = URL.createObjectURL(new Blob([decodeURIComponent('${encodeURIComponent(victim)}')], { type: 'text/html' }))`)}`,
    frame: ['#a', '#v'],
    replaces: true,
  },
  {
    says: 'has the other in a frame of a data: address',
    page: `<iframe id="a" src="data:text/html,${encodeURIComponent('<iframe id="v" src="')}{{victim}}${encodeURIComponent('"></iframe>')}"></iframe>`,
    frame: ['#a', '#v'],
  },
  { says: 'has the other without scripts', page: '<iframe id="v" sandbox src="{{victim}}"></iframe>' },
  { says: 'has a frame that loads for ever beside it', page: `<iframe src="/never"></iframe>${victim}` },
  {
    says: 'has nothing but a frame that loads for ever',
    page: '<iframe id="v" src="/never"></iframe>',
    fails: /No element|not loaded|in time/,
  },
  {
    says: 'removes the frame as soon as it is there',
    page: `${victim}${script('v.onload = () => v.remove()')}`,
    fails: /No frame|replaced|not loaded|not met/,
  },
  {
    says: 'moves the frame to another document',
    page: `${victim}${script(`v.onload = () => document.implementation.createHTMLDocument().adoptNode(v)`)}`,
    fails: /No frame|replaced|not loaded|not met/,
  },
  {
    says: 'changes the address of the frame again and again',
    page: `${victim}${script(`let left = 8; const next = setInterval(() => { v.src = '{{victim}}?' + left; if (!--left) clearInterval(next); }, 25)`)}`,
    replaces: true,
  },
];

export const pageAttacks: readonly PageAttack[] = [
  ...opened.map((attack): PageAttack => ({ ...attack, replaces: true })),
  ...[...globals, ...sights, ...forged, ...documents],
];

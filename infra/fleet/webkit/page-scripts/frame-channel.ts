/**
 * The way from the script of a document to that of a frame in it: over the host, by a handler that our world alone has. Nothing of
 * it passes a world that pages see, so there is nothing that a page could hear, answer or send again.
 *
 * A frame is named by its place: the index of each frame in the one around it, from the outermost on. Every document finds its own
 * place, and takes only work for it. See `announce` for those in shadow trees, which have no index, and for
 * tabs that have frames at the same place.
 */

/** Runs one of our operations; both sides are JSON text. */
export type Serve = (name: string, input: string) => Promise<string>;

declare const webkit: {
  readonly messageHandlers: { readonly frames: { postMessage(message: string): Promise<string> } };
};
const handler = webkit.messageHandlers.frames;
const own = document;
function unguessable(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
/** What this document is known by to the host. */
const key = unguessable();

const tell = async (kind: string, said: object): Promise<unknown> =>
  JSON.parse(await handler.postMessage(JSON.stringify({ kind, ...said })));

/** What the host has for a document; without a name it asks only where the document is. */
interface Work {
  readonly id: number;
  readonly at?: string;
  readonly operation?: string;
  readonly name?: string;
  readonly input?: string;
}

/** Asks the host for work as long as the document is there, one question at a time. */
export async function takeWork(serve: Serve): Promise<void> {
  let last: { readonly id?: number; readonly taken?: boolean } = {};
  // A document without a window has been replaced.
  while (own.defaultView === window) {
    listenForNonces();
    const work = (await tell('work', { key, at: placeOf(window), ...last })) as Work | null;
    if (work === null) return;
    const { id, at, operation, name, input = 'null' } = work;
    last = { id, taken: at === undefined || at === placeOf(window) };
    if (name !== undefined && last.taken)
      void serve(name, input).then((reply) => tell('reply', { id: operation, reply }));
  }
}

/** The place of a window, which is this one or that of a frame of this document, as JSON. `null` is a frame in a shadow tree. */
function placeOf(window: Window): string {
  const place: (number | null)[] = [];
  let at = window;
  // Null where the frame has been removed.
  let around = at.parent as Window | null;
  while (around && around !== at) {
    place.unshift(indexIn(around, at));
    at = around;
    around = at.parent as Window | null;
  }
  return JSON.stringify(place);
}

function indexIn(parent: Window, window: Window): number | null {
  for (let index = 0; index < parent.length; index += 1) if (parent[index] === window) return index;
  return null;
}

/** What our nonces begin with. A page that learns it can send us nonces that nobody expects. */
let mark = '';

export function markNonces(begin: string): void {
  mark = begin;
}

/** Called again and again, because `document.open` removes all listeners. */
function listenForNonces(): void {
  addEventListener('message', hear, { capture: true });
}

function hear(event: MessageEvent<unknown>): void {
  const { data, source, isTrusted } = event;
  if (!isTrusted || source !== parent || typeof data !== 'string' || !data.startsWith(mark)) return;
  event.stopImmediatePropagation();
  void tell('heard', { key, nonce: data });
}

/**
 * Tells the frame a nonce by which the host knows it among those that its place does not tell apart. A page that hears it has no use for it: it
 * says only which document is meant, and one at another place is not taken for it.
 */
function announce(window: Window): string {
  const nonce = `${mark}${unguessable()}`;
  // After the host expects it.
  queueMicrotask(() => window.postMessage(nonce, '*'));
  return nonce;
}

/** Tells the host something of the frame with this window, by its place, and by a nonce where that does not say which is meant. */
async function tellOf(window: Window, kind: string, said: object = {}): Promise<unknown> {
  const at = placeOf(window);
  const answer = at.includes('null') ? 'which' : await tell(kind, { ...said, at, nonce: null });
  return answer === 'which' ? tell(kind, { ...said, at, nonce: announce(window) }) : answer;
}

/** Whether a document is in a frame that answers. */
export const answers = async (frame: HTMLIFrameElement): Promise<boolean> =>
  frame.contentWindow !== null && (await tellOf(frame.contentWindow, 'find')) === true;

/** How often a reply that does not come is doubted, milliseconds. */
const doubtMs = 100;

/** Has the frame run an operation. A frame that is replaced or removed meanwhile answers nothing: then the value is undefined. */
export async function askFrame(
  frame: HTMLIFrameElement,
  name: string,
  input: string,
): Promise<string | undefined> {
  const window = frame.contentWindow;
  if (!window) return undefined;
  const id = unguessable();
  const isThere = () => frame.isConnected && frame.contentWindow === window;
  let timer: ReturnType<typeof setInterval> | undefined;
  const removed = new Promise<null>((resolve) => {
    timer = setInterval(() => {
      if (isThere()) void tellOf(window, 'doubt', { id });
      else resolve(null);
    }, doubtMs);
  });
  try {
    const reply = tellOf(window, 'ask', { id, name, input }) as Promise<readonly [string] | null>;
    const answer = await Promise.race([reply, removed]);
    return answer !== null && isThere() ? answer[0] : undefined;
  } finally {
    clearInterval(timer);
  }
}

/**
 * Calls from the script of a document to that of a frame in it. They go through the host, by a message handler in our
 * script world, so pages can neither read, answer nor replay them. A frame is addressed by its place: the index of each
 * frame in the one around it, from the outermost on. Every document determines its own place, and only takes work for
 * it. Frames in shadow trees have no index, and tabs may have frames at the same place: see `announce`.
 */

/** Runs one of our operations. Input and result are JSON text. */
export type Serve = (name: string, input: string) => Promise<string>;

declare const webkit: {
  readonly messageHandlers: { readonly frames: { postMessage(message: string): Promise<string> } };
};
const handler = webkit.messageHandlers.frames;
const own = document;
function unguessable(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
/** Key by which the host identifies this document. */
const key = unguessable();

const tell = async (kind: string, said: object): Promise<unknown> =>
  JSON.parse(await handler.postMessage(JSON.stringify({ kind, ...said })));

/** Work from the host. Without a name, the host only requests the document's place. */
interface Work {
  readonly id: number;
  readonly at?: string;
  readonly operation?: string;
  readonly name?: string;
  readonly input?: string;
}

/** Requests work from the host as long as the document exists, one request at a time. */
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

/**
 * Place of a window, this one or that of a frame of this document, as JSON. `null` stands for a frame in a shadow tree.
 */
function placeOf(window: Window): string {
  const place: (number | null)[] = [];
  let at = window;
  // Null if the frame has been removed.
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

/** Prefix of our nonces. A page that learns it can only send nonces that the host does not expect. */
let mark = '';

export function markNonces(begin: string): void {
  mark = begin;
}

/** Called repeatedly, because `document.open` removes all listeners. */
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
 * Sends the frame a nonce, by which the host distinguishes frames with the same place. A page that reads it gains
 * nothing: it only says which document is addressed, and the host does not accept it from another place.
 */
function announce(window: Window): string {
  const nonce = `${mark}${unguessable()}`;
  // Sent after the host has begun to expect it.
  queueMicrotask(() => window.postMessage(nonce, '*'));
  return nonce;
}

/**
 * Sends the host a message about the frame with this window, addressed by its place, and by a nonce where the place is
 * ambiguous.
 */
async function tellOf(window: Window, kind: string, said: object = {}): Promise<unknown> {
  const at = placeOf(window);
  const answer = at.includes('null') ? 'which' : await tell(kind, { ...said, at, nonce: null });
  return answer === 'which' ? tell(kind, { ...said, at, nonce: announce(window) }) : answer;
}

/** Whether the frame's document has our script and answers. */
export const answers = async (frame: HTMLIFrameElement): Promise<boolean> =>
  frame.contentWindow !== null && (await tellOf(frame.contentWindow, 'find')) === true;

/** Milliseconds between two checks whether a frame that has not replied still exists. */
const doubtMs = 100;

/** Runs an operation in the frame. The value is undefined if the frame is replaced or removed meanwhile. */
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

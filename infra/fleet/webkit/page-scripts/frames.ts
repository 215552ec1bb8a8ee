import { until } from './deadline.ts';
import { isFrame, nameOf } from './dom.ts';
import { Failure, refusal } from './failure.ts';
import { rectOf, type Box, type Point } from './geometry.ts';
import { frameOfRef } from './refs.ts';
import { allBySelector, firstVisible } from './targets.ts';

/** A way into a frame: its selector, or the ref of an observed element, which lies in a frame at some depth or in none. */
export type FrameStep = string | { readonly ref: string };

/** Runs one of our operations; both sides are JSON text. */
export type Serve = (name: string, input: string) => Promise<string>;

interface Request {
  readonly id: number;
  readonly name: string;
  readonly input: string;
}

/** By the window of the frame: the way to the script of ours that runs in it. */
const ports = new Map<MessageEventSource, MessagePort>();
let lastId = 0;

/**
 * Opens the way from this document to the one around it, and takes those of the frames within. The message that brings a port
 * is known by the secret, and stopped before a listener of the page can see it.
 */
export function connectFrames(secret: string, serve: Serve): void {
  addEventListener(
    'message',
    (event) => {
      if (event.data !== secret || !event.source) return;
      event.stopImmediatePropagation();
      const [port] = event.ports;
      if (port) ports.set(event.source, port);
    },
    true,
  );
  if (parent === window) return;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }: MessageEvent<Request>) => {
    void serve(data.name, data.input).then((reply) => port1.postMessage({ id: data.id, reply }));
  };
  parent.postMessage(secret, '*', [port2]);
}

/** The frame of this document that the steps lead into, with those that are left; undefined where they lead no further. */
export async function frameAlong(
  steps: readonly FrameStep[],
  endsAt: number,
): Promise<{ readonly frame: HTMLIFrameElement; readonly left: readonly FrameStep[] } | undefined> {
  const [first, ...left] = steps;
  if (first === undefined) return undefined;
  if (typeof first === 'string') return { frame: await frameBy(first, endsAt), left };
  const frame = frameOfRef(first.ref);
  return frame && { frame, left: steps };
}

/** The frame that a selector names, once it has a document that answers. */
const frameBy = (selector: string, endsAt: number): Promise<HTMLIFrameElement> =>
  until(endsAt, () => {
    const frame = firstVisible(allBySelector(selector));
    if (!frame) return { category: 'element_not_found', reason: 'No frame matches the selector.' };
    if (!isFrame(frame)) throw refusal(`The selector of the frame matches ${nameOf(frame)}, which is none.`);
    const window = frame.contentWindow;
    return window && ports.has(window)
      ? { value: frame }
      : { category: 'element_not_found', reason: 'The frame has not loaded.' };
  });

/** How often a reply that does not come is doubted, milliseconds. */
const doubtMs = 100;

/** Has the frame run an operation. A frame that is replaced or removed meanwhile answers nothing: then the value is undefined. */
export function askFrame(frame: HTMLIFrameElement, name: string, input: string): Promise<string | undefined> {
  const window = frame.contentWindow;
  const port = window ? ports.get(window) : undefined;
  if (!port || !window) return Promise.resolve(undefined);
  const id = (lastId += 1);
  return new Promise((resolve) => {
    const finish = (reply: string | undefined) => {
      clearInterval(timer);
      port.removeEventListener('message', listener);
      resolve(reply);
    };
    const listener = ({ data }: MessageEvent<{ readonly id: number; readonly reply: string }>) => {
      if (data.id === id) finish(data.reply);
    };
    const timer = setInterval(() => {
      if (ports.get(window) !== port || !frame.isConnected) finish(undefined);
    }, doubtMs);
    port.addEventListener('message', listener);
    port.start();
    port.postMessage({ id, name, input } satisfies Request);
  });
}

/** A point of the frame's viewport as one of this document's. */
export function outOf(frame: HTMLIFrameElement, { x, y }: Point): Point {
  const { left, top, scale } = contentOf(frame);
  return { x: left + x * scale.x, y: top + y * scale.y };
}

export function into(frame: HTMLIFrameElement, { x, y }: Point): Point {
  const { left, top, scale } = contentOf(frame);
  return { x: (x - left) / scale.x, y: (y - top) / scale.y };
}

export function boxOutOf(frame: HTMLIFrameElement, box: Box): Box {
  const { scale } = contentOf(frame);
  return { ...outOf(frame, box), width: box.width * scale.x, height: box.height * scale.y };
}

/** Where the frame's viewport begins in this one, and how much larger a transform shows it. */
function contentOf(frame: HTMLIFrameElement) {
  const outer = rectOf(frame);
  const { paddingLeft, paddingTop } = getComputedStyle(frame);
  const scale = {
    x: frame.offsetWidth > 0 ? outer.width / frame.offsetWidth : 1,
    y: frame.offsetHeight > 0 ? outer.height / frame.offsetHeight : 1,
  };
  return {
    left: outer.left + (frame.clientLeft + parseFloat(paddingLeft)) * scale.x,
    top: outer.top + (frame.clientTop + parseFloat(paddingTop)) * scale.y,
    scale,
  };
}

/** The frame lost its document while it was asked for something. */
export const frameReplaced = (): Failure =>
  new Failure('page', 'element_not_found', 'The frame was replaced while it was being used.');

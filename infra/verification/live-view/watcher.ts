import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { openChromium } from '../testbed/chromium.ts';
import { listen } from '../../http/index.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** The walkthrough's code that shows a browser and touches it. */
const walkthrough = (): string => {
  const page = readFileSync(`${checkout}/docs/walkthroughs/live-view.md`, 'utf8');
  return [...page.matchAll(/^```js\n([\s\S]+?)^```$/gm)].map(([, lines]) => lines).join('\n');
};

/** Additions to the page of a person, for the tests. */
const asked = `
import { ConnectionError, DisconnectReason } from 'livekit-client';
const element = document.querySelector('video');
const reasons = [];
/** Lines that the walkthrough's code prints. */
const printed = [];
console.log = (topic, text) => printed.push([topic, text]);
let room;
/** Statistics of the decoder: a page in the background draws nothing. */
const decoded = async () => {
  const track = [...(room?.remoteParticipants.values() ?? [])].flatMap(({ trackPublications }) => [...trackPublications.values()])[0]?.track;
  const stats = await track?.getRTCStatsReport();
  return [...(stats?.values() ?? [])].find(({ type }) => type === 'inbound-rtp')?.framesDecoded ?? 0;
};
const canvas = document.createElement('canvas');
window.watcher = {
  join: async (video) => {
    const began = performance.now();
    room = await show(video, element);
    room.on(RoomEvent.Disconnected, (reason) => reasons.push(DisconnectReason[reason] ?? String(reason)));
    room.on(RoomEvent.Reconnected, () => reasons.push('RECONNECTED'));
    while ((await decoded()) === 0) {
      if (performance.now() > began + 30_000) throw new Error('No picture within 30 s.');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return performance.now() - began;
  },
  refused: (video) => show(video, element).then(() => 'joined', (error) => [error instanceof ConnectionError, error.status ?? null, error.message]),
  state: async () => ({ frames: await decoded(), width: element.videoWidth, height: element.videoHeight, reasons, identities: [...(room?.remoteParticipants.keys() ?? [])] }),
  color: (x, y) => {
    canvas.width = element.videoWidth;
    canvas.height = element.videoHeight;
    const context = canvas.getContext('2d');
    context.drawImage(element, 0, 0);
    return [...context.getImageData(x, y, 1, 1).data].slice(0, 3);
  },
  answers: (topic) => new Promise((resolve) => {
    const take = (payload, from, _kind, of) => {
      if (of !== topic) return;
      room.off(RoomEvent.DataReceived, take);
      resolve([from?.identity ?? null, new TextDecoder().decode(payload)]);
    };
    room.on(RoomEvent.DataReceived, take);
  }),
  latest: async (topic) => {
    const last = () => printed.findLast(([of]) => of === topic)?.[1];
    while (last() === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
    return last();
  },
  tap: async (epoch, x, y) => {
    const answer = watcher.answers('input-ack');
    await tap(room, epoch, x, y);
    return answer;
  },
  flood: (topic, count, text) => {
    const message = new TextEncoder().encode(text);
    // Not awaited: they never settle for a participant that is removed meanwhile.
    for (let times = 0; times < count; times += 1) room.localParticipant.publishData(message, { topic, reliable: true }).catch(() => undefined);
  },
  ages: (seconds) => new Promise((resolve) => {
    const ages = [];
    const until = performance.now() + seconds * 1000;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const look = () => {
      if (canvas.width !== element.videoWidth) Object.assign(canvas, { width: element.videoWidth, height: 48 });
      context.drawImage(element, 0, 0);
      const now = Date.now() % 65536;
      const { data, width } = context.getImageData(0, 24, canvas.width, 1);
      let shown = 0;
      for (let bit = 0; bit < 16; bit += 1) if (data[4 * (bit * 24 + 12)] > 127) shown |= 1 << bit;
      ages.push((now - shown + 65536) % 65536);
      if (performance.now() < until) element.requestVideoFrameCallback(look);
      else resolve(ages);
    };
    element.requestVideoFrameCallback(look);
  }),
  touches: async (count) => {
    const pause = () => new Promise((resolve) => setTimeout(resolve, 40 + Math.random() * 20));
    const send = (seq, type) => room.localParticipant.publishData(
      new TextEncoder().encode(JSON.stringify({ seq, epoch: 1, event: { type, x: 100, y: 300, touchId: 0 } })), { topic: 'input', reliable: true });
    const sent = [];
    for (let index = 0; index < count; index += 1) {
      sent.push(Date.now());
      await send(2 * index, 'touchStart');
      await pause();
      const answer = watcher.answers('input-ack');
      await send(2 * index + 1, 'touchEnd');
      await answer;
      await pause();
    }
    return sent;
  },
  cut: () => room.simulateScenario('signal-reconnect'),
  leave: () => room.disconnect(),
};
`;

/** Report of a person's page. */
export interface Seen {
  readonly frames: number;
  readonly width: number;
  readonly height: number;
  /** Reasons of disconnections, and reconnections. */
  readonly reasons: readonly string[];
  readonly identities: readonly string[];
}

/** The page of one person. */
export interface Watcher {
  /** Milliseconds until the first frame; rejects after 30 s without one. */
  join(video: object): Promise<number>;
  refused(video: object): Promise<unknown>;
  state(): Promise<Seen>;
  color(x: number, y: number): Promise<readonly number[]>;
  /** The browser's last message on a topic; waits for the first. */
  latest(topic: string): Promise<Readonly<Record<string, unknown>>>;
  /** Taps by the walkthrough's code. Returns the answers, with their sender. */
  tap(epoch: number, x: number, y: number): Promise<unknown>;
  /** The age of each frame when it is presented, in milliseconds. The page must show the time. */
  ages(seconds: number): Promise<readonly number[]>;
  /** Touches `count` times; returns when each was sent, in milliseconds since the epoch. */
  touches(count: number): Promise<readonly number[]>;
  /** Sends a message `count` times, as fast as it can. */
  flood(topic: string, count: number, text: string): Promise<void>;
  /** Breaks the socket; the library reconnects. */
  cut(): Promise<void>;
  leave(): Promise<void>;
}

async function bundled(): Promise<string> {
  const bundle = await build({
    stdin: { contents: `${walkthrough()}\n${asked}`, resolveDir: checkout, loader: 'js' },
    ...{ bundle: true, format: 'esm', write: false, target: 'es2022' },
  });
  return bundle.outputFiles[0]?.text ?? '';
}

/** Debian's Chromium, with pages that run the walkthrough's code on LiveKit's own library. */
export async function startWatchers() {
  const script = await bundled();
  const page =
    '<!doctype html><video autoplay muted playsinline></video><script type="module" src="/page.js"></script>';
  const site = await listen(
    (request, reply) => {
      const isScript = request.url === '/page.js';
      reply.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      reply.end(isScript ? script : page);
    },
    0,
    { host: '127.0.0.1' },
  );
  const browser = await openChromium('--disable-renderer-backgrounding');
  return {
    open: async (): Promise<Watcher> => {
      const context = await browser.newContext();
      const opened = await context.newPage();
      await opened.goto(`http://127.0.0.1:${site.port}/`);
      await opened.waitForFunction('window.watcher !== undefined');
      return watcherOn(opened);
    },
    /** Closes all pages. */
    closePages: () => Promise.all(browser.contexts().map((context) => context.close())),
    close: async () => {
      await browser.close();
      await site.close();
    },
  };
}

function watcherOn(page: Page): Watcher {
  const call = async (expression: string): Promise<unknown> => page.evaluate(expression);
  const text = (value: unknown) => JSON.stringify(value);
  return {
    join: async (video) => Number(await call(`watcher.join(${text(video)})`)),
    refused: (video) => call(`watcher.refused(${text(video)})`),
    state: async () => (await call('watcher.state()')) as Seen,
    color: async (x, y) => (await call(`watcher.color(${x}, ${y})`)) as number[],
    latest: async (topic) =>
      JSON.parse(String(await call(`watcher.latest(${text(topic)})`))) as Record<string, unknown>,
    tap: (epoch, x, y) => call(`watcher.tap(${epoch}, ${x}, ${y})`),
    ages: async (seconds) => (await call(`watcher.ages(${seconds})`)) as number[],
    touches: async (count) => (await call(`watcher.touches(${count})`)) as number[],
    flood: async (topic, count, message) =>
      void (await call(`watcher.flood(${text(topic)}, ${count}, ${text(message)})`)),
    cut: async () => void (await call('watcher.cut()')),
    leave: async () => void (await call('watcher.leave()')),
  };
}

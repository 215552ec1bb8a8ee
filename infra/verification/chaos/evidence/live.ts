import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../testbed/index.ts';
import { encodersIn, filesIn, piecesOf } from '../../live-view/traces.ts';
import type { World } from '../world/index.ts';
import type { AskedTakeover, SentTouch, ToldHolder, Visit } from '../world/live.ts';

/** A node's use of live view at one time, in milliseconds since the epoch. */
export interface VideoUse {
  readonly at: number;
  readonly viewers: number;
  readonly encoders: number;
}

/** Evidence about people in rooms: their actions, and what remained afterwards. */
export interface LiveEvidence {
  readonly visits: readonly Visit[];
  readonly touches: readonly SentTouch[];
  readonly takeovers: readonly AskedTakeover[];
  readonly holders: readonly ToldHolder[];
  /** In the order of sampling, once a node answers; the last one after everybody has left. */
  readonly use: readonly VideoUse[];
  /** Files that contain a frame, each with the frame's kind. */
  readonly filesWithFrames: readonly string[];
  /** Encoders that still run after everybody has left. */
  readonly encodersLeft: number;
}

const EVERY_MS = 500;
/** Milliseconds after the last person has left, in which rooms of broken connections are emptied, too. */
const EMPTIED_MS = 45_000;

export interface Watching {
  /** Looks for frames on disks now. */
  look(): void;
  /** Waits, for a limited time, until rooms are empty and nothing is shown; then stops. */
  stop(): Promise<LiveEvidence>;
}

/** Samples the use of live view until it is stopped. A node that does not answer gives no sample. */
export function startWatching({ live, videoUseUrl, frameDirs }: World): Watching {
  const use: VideoUse[] = [];
  const found = new Set<string>();
  const stopping = new AbortController();
  const sample = async () => {
    const seen = await useAt(videoUseUrl).catch(() => undefined);
    if (seen !== undefined) use.push(seen);
    return seen;
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      await sample();
      await delay(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const look = () => {
    for (const file of frameDirs.flatMap((directory) => filesWithFrames(directory, live.sizes)))
      found.add(file);
  };
  const running = run();
  const encoders = () => frameDirs.flatMap(encodersIn).length;
  return {
    look,
    stop: async () => {
      const isEmpty = async () => {
        const seen = await sample();
        return seen?.viewers === 0 && seen.encoders === 0 && encoders() === 0;
      };
      await until(isEmpty, { limitMs: EMPTIED_MS, everyMs: EVERY_MS }).catch(() => undefined);
      stopping.abort();
      await running;
      look();
      const { visits, touches, takeovers, holders } = live;
      const left = { filesWithFrames: [...found], encodersLeft: encoders() };
      return { visits, touches, takeovers, holders, use, ...left };
    },
  };
}

async function useAt(url: string): Promise<VideoUse> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) });
  const text = await answer.text();
  const value = (name: string) => {
    const line = new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(text);
    if (line === null) throw new Error(`There is no ${name}.`);
    return Number(line[1]);
  };
  const [viewers, encoders] = [value('service_video_viewers'), value('service_video_encoders')];
  return { at: Date.now(), viewers, encoders };
}

/** Bytes that begin files of frames. */
const beginnings: Readonly<Record<string, Buffer>> = {
  // JPEG File Interchange Format, 2.1: the marker APP0.
  JPEG: Buffer.from('ffe000104a464946000101', 'hex'),
  // The header of IVF, of 32 bytes, version 0.
  IVF: Buffer.from('444b494600002000', 'hex'),
  // The element DocType of EBML, of 4 bytes.
  WebM: Buffer.from('4282847765626d', 'hex'),
};

/** The start of a key frame of VP8 (RFC 6386, 9.1), after its tag: a code, width and height. */
function keyFrameOf(size: string): Buffer {
  const [width = 0, height = 0] = size.split('×').map(Number);
  const start = Buffer.from('9d012a00000000', 'hex');
  start.writeUInt16LE(width, 3);
  start.writeUInt16LE(height, 5);
  return start;
}

/** Files in the directory with something of a frame in them, each with its kind. */
export function filesWithFrames(directory: string, sizes: ReadonlySet<string>): readonly string[] {
  const keyFrames = [...sizes].map((size) => [`VP8 of ${size}`, keyFrameOf(size)] as const);
  const sought = [...Object.entries(beginnings), ...keyFrames];
  return filesIn(directory).flatMap((path) => {
    const kinds = new Set<string>();
    for (const content of piecesOf(path))
      for (const [kind, bytes] of sought) if (content.includes(bytes)) kinds.add(kind);
    return [...kinds].map((kind) => `${path} (${kind})`);
  });
}

import type { Logger } from 'pino';
import type { Picture, PictureKind, ShowPicture } from '../node/picture.ts';

/** A viewer of a feed. */
export interface Viewer {
  /** A packet or a picture, depending on the feed; must not be modified. */
  unit(unit: Buffer): void;
  /** The picture has ended, and no encoder is started again. */
  noPicture(): void;
}

export interface FeedOptions {
  readonly show: ShowPicture;
  readonly kind: PictureKind;
  /** Applied to each unit, once for all viewers; undefined drops it. */
  readonly prepare: (unit: Buffer) => Buffer | undefined;
  /** Whether this unit completes a frame. */
  readonly endsFrame: (unit: Buffer) => boolean;
  readonly logger: Logger;
  /** Called when its viewers get no picture any more, because its encoder did not start or died too often. */
  readonly onFailed?: (() => void) | undefined;
  /** Milliseconds for which the encoder runs on after its last viewer has left. */
  readonly lingerMs?: number;
  /** Minimal milliseconds between two requests of a key frame. */
  readonly keyEveryMs?: number;
}

/** Bitrates of the encoder. */
const rate = { least: 150_000, most: 2_500_000, first: 1_500_000 };

/**
 * One encoder for all viewers of a browser. It starts with the first and ends a while after the last. One that dies is restarted, unless
 * another died less than a minute before.
 */
export class Feed {
  readonly #options: FeedOptions;
  readonly #viewers = new Map<Viewer, number>();
  #picture: Picture | undefined;
  #starting: Promise<void> | undefined;
  #lingering: NodeJS.Timeout | undefined;
  #keyTimer: NodeJS.Timeout | undefined;
  #keyAt = -Infinity;
  #diedAt = -Infinity;
  #set = 0;
  #closed = false;
  readonly counts = { units: 0, frames: 0, bytes: 0 };
  /** Processor seconds of encoders that have ended. */
  #spentSeconds = 0;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Size of the picture, once an encoder has started. */
  get size(): Picture['size'] | undefined {
    return this.#picture?.size;
  }

  get bitsPerSecond(): number {
    return this.#picture ? this.#set : 0;
  }

  get isRunning(): boolean {
    return this.#picture !== undefined;
  }

  /** Processor seconds that encoding has taken. */
  get processorSeconds(): number {
    return this.#spentSeconds + (this.#picture?.processorSeconds() ?? 0);
  }

  /** Starts the encoder for a viewer that is about to join. Resolves when it runs, or cannot start. */
  warm(): Promise<void> {
    clearTimeout(this.#lingering);
    if (this.#viewers.size === 0) this.#linger();
    return this.#start();
  }

  /** Adds a viewer, until the returned function is called. */
  watch(viewer: Viewer): () => void {
    clearTimeout(this.#lingering);
    this.#viewers.set(viewer, rate.first);
    if (this.isRunning) this.key();
    else void this.#start();
    return () => {
      if (this.#viewers.delete(viewer)) this.#follow();
      if (this.#viewers.size === 0) this.#linger();
    };
  }

  /** Requests a key frame. Requests in quick succession are merged; a new encoder begins with one. */
  key(): void {
    if (this.#picture === undefined) return;
    const { keyEveryMs = 150 } = this.#options;
    const waitMs = this.#keyAt + keyEveryMs - performance.now();
    if (waitMs <= 0) {
      this.#keyAt = performance.now();
      this.#picture.key();
    } else
      this.#keyTimer ??= setTimeout(() => {
        this.#keyTimer = undefined;
        this.key();
      }, waitMs);
  }

  /** Sets the bitrate that a viewer can receive. The encoder's target is the lowest of all viewers, within bounds. */
  canTake(viewer: Viewer, bitsPerSecond: number): void {
    if (!this.#viewers.has(viewer)) return;
    this.#viewers.set(viewer, Math.min(rate.most, Math.max(rate.least, bitsPerSecond)));
    this.#follow();
  }

  ofViewer(viewer: Viewer): number {
    return this.#viewers.get(viewer) ?? rate.first;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#lingering);
    clearTimeout(this.#keyTimer);
    await this.#starting;
    await this.#end();
  }

  #follow(): void {
    if (this.#viewers.size === 0 || !this.#picture) return;
    const wanted = Math.min(...this.#viewers.values());
    if (Math.abs(wanted - this.#set) < this.#set * 0.05) return;
    this.#set = wanted;
    this.#picture.bitrate(wanted);
  }

  #linger(): void {
    clearTimeout(this.#lingering);
    this.#lingering = setTimeout(() => {
      if (this.#viewers.size === 0) void this.#end();
    }, this.#options.lingerMs ?? 5_000);
  }

  #start(): Promise<void> {
    if (this.#picture || this.#closed) return Promise.resolve();
    this.#starting ??= this.#begin().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #begin(): Promise<void> {
    const { show, kind, prepare, logger } = this.#options;
    try {
      this.#picture = await show(kind, {
        unit: (unit) => {
          const ready = prepare(unit);
          if (ready) this.#hand(ready);
        },
        ended: () => this.#died(),
      });
      this.#set = rate.first;
      this.#follow();
      // The last viewer may have left meanwhile.
      if (this.#viewers.size === 0) this.#linger();
    } catch (error) {
      logger.warn({ err: error, kind }, 'An encoder did not start.');
      this.#died();
    }
  }

  #hand(unit: Buffer): void {
    this.counts.units += 1;
    if (this.#options.endsFrame(unit)) this.counts.frames += 1;
    this.counts.bytes += unit.length;
    for (const viewer of this.#viewers.keys()) viewer.unit(unit);
  }

  #died(): void {
    this.#spentSeconds += this.#picture?.processorSeconds() ?? 0;
    this.#picture = undefined;
    const again = performance.now() - this.#diedAt > 60_000;
    this.#diedAt = performance.now();
    if (this.#closed || this.#viewers.size === 0) return;
    this.#options.logger.warn({ kind: this.#options.kind, again }, 'An encoder ended.');
    if (again) return void setImmediate(() => void this.#start());
    for (const viewer of [...this.#viewers.keys()]) viewer.noPicture();
    this.#options.onFailed?.();
  }

  async #end(): Promise<void> {
    const picture = this.#picture;
    this.#spentSeconds += picture?.processorSeconds() ?? 0;
    this.#picture = undefined;
    await picture?.close();
  }
}

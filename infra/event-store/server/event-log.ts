import { open, type Database, type RootDatabase } from 'lmdb';
import { messageOf } from '../../platform/error-message.ts';
import { StoredRecord } from './record.ts';
import { NO_STREAM, type StreamDescription, type StreamHead } from './stream-head.ts';

/**
 * Maximal length of a stream name in UTF-8 bytes, because LMDB limits the length of keys. Longer ones are refused
 * earlier.
 */
export const MAX_STREAM_NAME_BYTES = 1_900;

/**
 * Position of the first event. Not 0: a subscriber at position 0 reads everything from the start, and could not express that it
 * has seen an event there.
 */
const FIRST_POSITION = 64;

/** The index entry of an event: `streamId` is the stream head's `id`. */
export interface IndexedRecord {
  readonly streamId: number;
  readonly revision: number;
  readonly position: number;
  readonly bytes: Buffer;
}

/** A commit failed completely: the disk is full, or failing. */
export class NotStored extends Error {
  constructor(cause: unknown) {
    super(`The event store could not write: ${messageOf(cause)}`, {
      cause,
    });
    this.name = 'NotStored';
  }
}

/** LMDB rejects with a nested promise of the cause, which must be awaited, or it ends the process as unhandled. */
const causeOf = (error: unknown): Promise<unknown> =>
  error instanceof Error && 'commitError' in error
    ? Promise.resolve(error.commitError).catch((cause: unknown) => cause)
    : Promise.resolve(error);

const FORMAT_KEY = 'format';
const FORMAT = 1;

function assertFormat(root: RootDatabase<unknown, string>, dataDir: string): void {
  const format = root.get(FORMAT_KEY);
  if (format !== undefined && format !== FORMAT)
    throw new Error(`${dataDir} has the unknown format ${JSON.stringify(format)}.`);
  root.putSync(FORMAT_KEY, FORMAT);
}

/**
 * The files: events by position, positions by stream and revision, and a description of each stream. A commit is on disk when its
 * promise resolves, and invisible before: with `overlappingSync` off, LMDB flushes the data, then the root that points to it,
 * before it completes the commit.
 */
export class EventLog {
  readonly #root: RootDatabase<unknown, string>;
  readonly #events: Database<Buffer, number>;
  readonly #index: Database<number, [number, number]>;
  readonly #streams: Database<StreamDescription, string>;

  /** The directory must exist and be locked. */
  constructor(dataDir: string) {
    // With batching by event turn LMDB creates unhandled promises: the first failed write would end the process.
    const durable = { overlappingSync: false, eventTurnBatching: false };
    this.#root = open({ path: dataDir, maxDbs: 8, noSubdir: false, ...durable });
    assertFormat(this.#root, dataDir);
    this.#events = this.#root.openDB('events', { encoding: 'binary' });
    this.#index = this.#root.openDB('index', { encoding: 'ordered-binary' });
    this.#streams = this.#root.openDB('streams', { encoding: 'msgpack' });
  }

  head(stream: string): StreamHead {
    const description = this.#streams.get(stream);
    if (!description) return NO_STREAM;
    return { ...description, last: description.id === undefined ? -1 : this.#lastRevision(description.id) };
  }

  /** Position of the next event. Positions grow by the stored size, like file offsets. */
  nextPosition(): number {
    const [last] = this.newest(1);
    return last === undefined ? FIRST_POSITION : new StoredRecord(last).position + last.length;
  }

  /** Newest first. */
  newest(limit: number): Buffer[] {
    return this.before(undefined, limit);
  }

  /** Events at or after a position, oldest first. */
  from(position: number, limit: number): Buffer[] {
    return Array.from(this.#events.getRange({ start: position, limit }), ({ value }) => value);
  }

  /** Events before a position, or before the end, newest first. */
  before(position: number | undefined, limit: number): Buffer[] {
    const start = position === undefined ? {} : { start: position, exclusiveStart: true };
    return Array.from(this.#events.getRange({ ...start, reverse: true, limit }), ({ value }) => value);
  }

  /** A stream's events between two revisions, both inclusive, in that direction. */
  stream(streamId: number, from: number, to: number, limit: number): Buffer[] {
    const reverse = to < from;
    const end: [number, number] = [streamId, reverse ? to - 1 : to + 1];
    const positions = this.#index.getRange({ start: [streamId, from], end, reverse, limit });
    return Array.from(positions, ({ value }) => this.#at(value));
  }

  event(streamId: number, revision: number): Buffer | undefined {
    const position = this.#index.get([streamId, revision]);
    return position === undefined ? undefined : this.#at(position);
  }

  /**
   * Stores everything or nothing. Resolves once it would survive a power failure.
   *
   * @throws NotStored
   */
  async commit(
    records: readonly IndexedRecord[],
    descriptions: ReadonlyMap<string, StreamDescription>,
  ): Promise<void> {
    try {
      await this.#root.batch(() => {
        for (const { streamId, revision, position, bytes } of records) {
          void this.#events.put(position, bytes);
          if (revision >= 0) void this.#index.put([streamId, revision], position);
        }
        for (const [stream, description] of descriptions) void this.#streams.put(stream, description);
      });
    } catch (error) {
      throw new NotStored(await causeOf(error));
    }
  }

  async close(): Promise<void> {
    await this.#root.close();
  }

  #lastRevision(streamId: number): number {
    const newest = {
      start: [streamId, Number.MAX_SAFE_INTEGER],
      end: [streamId, -1],
      reverse: true,
      limit: 1,
    };
    for (const [, revision] of this.#index.getKeys(newest)) return revision;
    return -1;
  }

  #at(position: number): Buffer {
    const bytes = this.#events.get(position);
    if (bytes === undefined)
      throw new Error(`The index names an event at ${position}, where the log has none.`);
    return bytes;
  }
}

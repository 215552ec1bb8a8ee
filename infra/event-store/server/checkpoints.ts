import { StoredRecord } from './record.ts';
import type { RecordFilter } from './record-filter.ts';

/**
 * A position as a subscriber gives it. An event has the same number twice; with a smaller `prepare` it is just before the event
 * at `commit`.
 */
export interface LogPosition {
  readonly commit: number;
  readonly prepare: number;
}

const isAfter = (a: LogPosition, b: LogPosition): boolean =>
  a.commit === b.commit ? a.prepare > b.prepare : a.commit > b.commit;

const later = (a: LogPosition, b: LogPosition): LogPosition => (isAfter(a, b) ? a : b);

/**
 * The checkpoints of a filtered subscription, by the rules of EventStoreDB 24.10:
 *
 * - during the catch-up the log is searched page by page. A checkpoint is the start of the last searched page, or the last sent
 *   event if that is later: never the end of the search;
 * - when the catch-up ends there is one more, by the same rule;
 * - afterwards it is the last considered event;
 * - none is sent twice.
 */
export class Checkpoints {
  readonly #filter: RecordFilter;
  #pageStart: LogPosition;
  /** Position of the last sent event or checkpoint. */
  #reached: LogPosition;
  #checkpoint: LogPosition = { commit: -1, prepare: -1 };
  #inPage = 0;
  #considered = 0;

  constructor(filter: RecordFilter, start: LogPosition) {
    this.#filter = filter;
    this.#pageStart = start;
    this.#reached = start;
  }

  /** Considers an event, sent if it matched. Returns the checkpoint to send after it, if one is due. */
  consider(record: Buffer, matched: boolean, live: boolean): LogPosition | undefined {
    const { position } = new StoredRecord(record);
    const own = { commit: position, prepare: position };
    if (matched) this.#reached = own;
    this.#considered += 1;
    this.#inPage += 1;
    if (!live && this.#inPage < this.#filter.window) return undefined;
    const isDue = this.#considered >= this.#filter.checkpointEvery;
    const due = isDue ? this.#send(live ? own : this.#pageStart) : undefined;
    this.#startPage({ commit: position + record.length, prepare: 0 });
    return due;
  }

  /** The checkpoint to send at the log's end, if there is a new one. */
  caughtUp(): LogPosition | undefined {
    return this.#send(this.#pageStart);
  }

  /** The log is searched again from here on. */
  fellBehind(): void {
    this.#startPage(this.#reached);
  }

  #startPage(start: LogPosition): void {
    this.#pageStart = start;
    this.#inPage = 0;
  }

  #send(position: LogPosition): LogPosition | undefined {
    this.#considered = 0;
    this.#reached = later(this.#reached, position);
    if (!isAfter(this.#reached, this.#checkpoint)) return undefined;
    this.#checkpoint = this.#reached;
    return this.#checkpoint;
  }
}

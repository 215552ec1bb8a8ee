import type { EventLog } from './event-log.ts';
import { streamDeleted } from './grpc-errors.ts';
import { ALL } from './log-signals.ts';
import { StoredRecord } from './record.ts';
import { isMetastream, isSoftDeleted, originalOf, type StreamHead } from './stream-head.ts';
import { firstVisible } from './visible-range.ts';

/** Gives stored events page by page. An empty page means there are no more yet. */
export interface RecordSource {
  /** What to wait for at the end: a stream's name, or `ALL`. */
  readonly stream: string;
  next(limit: number): Buffer[];
}

/** `$all` from a position, included. */
export function allForwards(log: EventLog, from: number): RecordSource {
  let position = from;
  return {
    stream: ALL,
    next(limit) {
      const page = log.from(position, limit);
      const last = page.at(-1);
      if (last) position = new StoredRecord(last).position + 1;
      return page;
    },
  };
}

/** `$all` from before a position, or from the end. */
export function allBackwards(log: EventLog, before: number | undefined): RecordSource {
  let position = before;
  return {
    stream: ALL,
    next(limit) {
      const page = log.before(position, limit);
      const last = page.at(-1);
      if (last) position = new StoredRecord(last).position;
      return page;
    },
  };
}

/** A metadata stream goes with the stream it describes. */
export function isTombstoned(log: EventLog, stream: string): boolean {
  if (log.head(stream).tombstoned) return true;
  return isMetastream(stream) && log.head(originalOf(stream)).tombstoned === true;
}

/**
 * The stream's head, as far as it may be read.
 * @returns undefined when there is no such stream, or it is soft-deleted
 * @throws RpcError when it is tombstoned
 */
export function readableHead(log: EventLog, stream: string): StreamHead | undefined {
  if (isTombstoned(log, stream)) throw streamDeleted(stream);
  const head = log.head(stream);
  return head.last < 0 || isSoftDeleted(head) ? undefined : head;
}

/** A stream from a revision, included. Looks at the stream's head on every page, so it sees what was appended since. */
export function streamForwards(log: EventLog, stream: string, from: number): RecordSource {
  let revision = from;
  return {
    stream,
    next(limit) {
      const head = readableHead(log, stream);
      if (head?.id === undefined) return [];
      revision = Math.max(revision, firstVisible(log, stream, head, Date.now()));
      if (revision > head.last) return [];
      const page = log.stream(head.id, revision, head.last, limit);
      revision += page.length;
      return page;
    },
  };
}

/** A stream from a revision, included, or from its end, down to the first event it shows. */
export function streamBackwards(log: EventLog, stream: string, from: number | undefined): RecordSource {
  let revision = from;
  return {
    stream,
    next(limit) {
      const head = readableHead(log, stream);
      if (head?.id === undefined) return [];
      const first = firstVisible(log, stream, head, Date.now());
      const start = Math.min(revision ?? head.last, head.last);
      if (start < first) return [];
      const page = log.stream(head.id, start, Math.max(first, start - limit + 1), limit);
      revision = start - page.length;
      return page;
    },
  };
}

import type { LogPosition } from './checkpoints.ts';
import type { EventLog } from './event-log.ts';
import type { Faults } from './faults.ts';
import { invalidArgument, streamDeleted } from './grpc-errors.ts';
import { ALL, type LogSignals } from './log-signals.ts';
import { StoredRecord } from './record.ts';
import { streamNameOf, type ReadOptions } from './requests.ts';
import { isMetastream, isSoftDeleted, limitsOf, originalOf, type StreamHead } from './stream-head.ts';

/** The server's ports for reading. */
export interface ReadContext {
  readonly log: EventLog;
  readonly signals: LogSignals;
  readonly faults: Faults;
}

/** Returns stored events page by page. An empty page means no more events yet. */
export interface RecordSource {
  /** The signal to await at the end: a stream's name, or `ALL`. */
  readonly stream: string;
  next(limit: number): Buffer[];
}

/** `$all` from a position, inclusive. */
export const allForwards = (log: EventLog, from: number): RecordSource =>
  wholeLog(
    (position, limit) => log.from(position, limit),
    from,
    (last) => last + 1,
  );

/** `$all` backwards from before a position, or from the end. */
export const allBackwards = (log: EventLog, before: number | undefined): RecordSource =>
  wholeLog(
    (position, limit) => log.before(position, limit),
    before,
    (last) => last,
  );

function wholeLog<At>(
  read: (at: At, limit: number) => Buffer[],
  start: At,
  after: (position: number) => At,
): RecordSource {
  let at = start;
  return {
    stream: ALL,
    next(limit) {
      const page = read(at, limit);
      const last = page.at(-1);
      if (last) at = after(new StoredRecord(last).position);
      return page;
    },
  };
}

/** A metadata stream is tombstoned with the stream that it describes. */
export function isTombstoned(log: EventLog, stream: string): boolean {
  if (log.head(stream).tombstoned) return true;
  return isMetastream(stream) && log.head(originalOf(stream)).tombstoned === true;
}

/**
 * The head of a readable stream.
 *
 * @returns undefined for a missing or soft-deleted stream
 * @throws RpcError for a tombstoned one
 */
export function readableHead(log: EventLog, stream: string): StreamHead | undefined {
  if (isTombstoned(log, stream)) throw streamDeleted(stream);
  const head = log.head(stream);
  return head.last < 0 || isSoftDeleted(head) ? undefined : head;
}

/** A stream from a revision, inclusive. Reads the stream's head on every page, so it includes later appends. */
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

/** A stream backwards from a revision, inclusive, or from its end, to its first visible event. */
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

/**
 * The first visible revision of a stream, by its metadata: truncated, surplus and expired events stay in the log (and in `$all`)
 * but not in the stream. Above `head.last` if none is visible.
 *
 * @param now Unix milliseconds
 */
export function firstVisible(log: EventLog, stream: string, head: StreamHead, now: number): number {
  const { maxAge, maxCount, truncateBefore } = limitsOf(stream, head);
  const byCount = maxCount === undefined ? 0 : head.last - maxCount + 1;
  const first = Math.max(0, byCount, truncateBefore ?? 0);
  return maxAge === undefined ? first : firstSince(log, head, first, now - maxAge * 1000);
}

/** Events of a stream are ordered by time: a binary search finds the first recent one. */
function firstSince(log: EventLog, { id, last }: StreamHead, first: number, since: number): number {
  if (id === undefined) return first;
  let low = first;
  let high = last + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const bytes = log.event(id, middle);
    if (bytes && new StoredRecord(bytes).created < since) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The source of a subscription, and the initial position of its checkpoints. */
export interface SubscriptionSource {
  readonly source: RecordSource;
  readonly start: LogPosition;
}

const beginning: LogPosition = { commit: 0, prepare: 0 };

/** The events behind the given position or revision, or behind the present end. */
export function subscriptionSource(context: ReadContext, options: ReadOptions): SubscriptionSource {
  if (options.hasAll()) return allAfter(context, options);
  const stream = streamNameOf(options.getStream()?.getStreamIdentifier());
  return { source: streamAfter(context, stream, options), start: beginning };
}

function allAfter({ log, faults }: ReadContext, options: ReadOptions): SubscriptionSource {
  const all = options.getAll();
  const position = all?.getPosition();
  if (!position) {
    const start = all?.hasEnd() ? { commit: log.nextPosition(), prepare: 0 } : beginning;
    return { source: allForwards(log, start.commit), start };
  }
  const start = logPosition(position);
  const again =
    faults.duplicatesOnResume > 0
      ? log.before(start.commit + 1, faults.duplicatesOnResume).at(-1)
      : undefined;
  const first = again ? new StoredRecord(again).position : firstAfter(start);
  return { source: allForwards(log, first), start };
}

/** An event has the same number twice, so a smaller prepare position is before the event there. */
const firstAfter = ({ commit, prepare }: LogPosition): number => (prepare < commit ? commit : commit + 1);

function logPosition(named: { getCommitPosition(): string; getPreparePosition(): string }): LogPosition {
  const [commit, prepare] = [Number(named.getCommitPosition()), Number(named.getPreparePosition())];
  if (prepare > commit) {
    throw invalidArgument('The commit position cannot be less than the prepare position.');
  }
  return { commit, prepare };
}

function streamAfter({ log, faults }: ReadContext, stream: string, options: ReadOptions): RecordSource {
  const from = options.getStream();
  const head = readableHead(log, stream);
  if (from?.hasEnd()) return streamForwards(log, stream, (head?.last ?? -1) + 1);
  if (!from?.hasRevision()) return streamForwards(log, stream, 0);
  const after = Number(from.getRevision()) + 1;
  return streamForwards(log, stream, Math.max(0, after - faults.duplicatesOnResume));
}

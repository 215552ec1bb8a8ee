import type { EventLog } from './event-log.ts';
import { StoredRecord } from './record.ts';
import { limitsOf, type StreamHead } from './stream-head.ts';

/**
 * The first revision a stream shows, given its metadata: truncated, outnumbered and outdated events stay in the log
 * (and in `$all`) but not in the stream. Beyond `head.last` when it shows none.
 * @param now unix milliseconds
 */
export function firstVisible(log: EventLog, stream: string, head: StreamHead, now: number): number {
  const { maxAge, maxCount, truncateBefore } = limitsOf(stream, head);
  const byCount = maxCount === undefined ? 0 : head.last - maxCount + 1;
  const first = Math.max(0, byCount, truncateBefore ?? 0);
  return maxAge === undefined ? first : firstSince(log, head, first, now - maxAge * 1000);
}

/** Events of a stream are in order of time, so a binary search finds where the young ones begin. */
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

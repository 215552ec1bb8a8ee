import { isSoftDeleted, type StreamHead } from './stream-head.ts';

/** The writer's expectation: the revision of the stream's last event, or one of three words. */
export type ExpectedRevision = number | 'any' | 'no_stream' | 'stream_exists';

/** Look-ups to decide whether proposed events are already stored. */
export interface StoredIds {
  /** Revision of the event with this id in this stream, if it is in the cache of recent ids. */
  recent(id: string): number | undefined;
  /** Id of the stream's event at a revision. */
  at(revision: number): string | undefined;
}

export type AppendDecision =
  | { readonly kind: 'write' }
  | { readonly kind: 'stored-before'; readonly last: number }
  | { readonly kind: 'wrong-revision' }
  | { readonly kind: 'deleted' };

const WRITE: AppendDecision = { kind: 'write' };
const WRONG_REVISION: AppendDecision = { kind: 'wrong-revision' };
const DELETED: AppendDecision = { kind: 'deleted' };

/**
 * Decides an append like EventStoreDB. If all events are stored already, the answer is their position, whatever the stream's
 * revision is now; if only some are, the revision is wrong. With `any` and `stream_exists` only recent events are recognised. A
 * stream with metadata exists even before its first event.
 */
export function decideAppend(
  head: StreamHead,
  expected: ExpectedRevision,
  ids: readonly string[],
  stored: StoredIds,
): AppendDecision {
  if (head.tombstoned) return DELETED;
  if (expected === 'stream_exists') {
    if (isSoftDeleted(head)) return DELETED;
    if (head.last < 0 && head.metadata === undefined) return WRONG_REVISION;
  }
  if (expected === 'any' || expected === 'stream_exists') return decideUnguarded(ids, stored);
  const revision = expected === 'no_stream' ? -1 : expected;
  if (revision > head.last) return WRONG_REVISION;
  if (revision === head.last) return WRITE;
  return decideBehind(head, revision, ids, stored);
}

function decideUnguarded(ids: readonly string[], stored: StoredIds): AppendDecision {
  const revisions = ids.map((id) => stored.recent(id));
  if (revisions[0] === undefined) return WRITE;
  const last = revisions.at(-1);
  return last === undefined || revisions.includes(undefined)
    ? WRONG_REVISION
    : { kind: 'stored-before', last };
}

function decideBehind(
  head: StreamHead,
  revision: number,
  ids: readonly string[],
  stored: StoredIds,
): AppendDecision {
  const isStored = (id: string, at: number): boolean => stored.recent(id) === at || stored.at(at) === id;
  const matches = ids.filter((id, index) => isStored(id, revision + 1 + index)).length;
  if (matches > 0 && matches === ids.length) return { kind: 'stored-before', last: revision + ids.length };
  const startsAfresh = matches === 0 && revision === -1 && isSoftDeleted(head);
  return startsAfresh ? WRITE : WRONG_REVISION;
}

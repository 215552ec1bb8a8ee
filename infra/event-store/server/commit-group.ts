import { decideAppend, type ExpectedRevision } from './expected-revision.ts';
import type { EventLog, IndexedRecord } from './event-log.ts';
import type { RecentIds } from './recent-ids.ts';
import {
  encodeRecord,
  JSON_CONTENT,
  METADATA_TYPE,
  StoredRecord,
  TOMBSTONE_REVISION,
  TOMBSTONE_TYPE,
  BINARY_CONTENT,
  type ProposedEvent,
} from './record.ts';
import {
  DELETED_METADATA,
  isMetastream,
  isSoftDeleted,
  metastreamOf,
  originalOf,
  withTruncateBefore,
  type StreamDescription,
  type StreamHead,
} from './stream-head.ts';

const NOTHING = new Uint8Array();

export interface Written {
  readonly kind: 'written';
  readonly revision: number;
  readonly position: number;
}

/** The outcome of a write. `revision`: the stream's last one, -1 without events. */
export type WriteResult =
  | Written
  | { readonly kind: 'wrong-revision'; readonly revision: number }
  | { readonly kind: 'deleted' };

/**
 * Writes that are committed and flushed together. Each is decided on the state left by the previous ones, as if they were
 * sequential.
 */
export class CommitGroup {
  readonly records: IndexedRecord[] = [];
  /** Of streams that are new, or have new metadata or a tombstone. */
  readonly descriptions = new Map<string, StreamDescription>();
  readonly #heads = new Map<string, StreamHead>();
  readonly #log: EventLog;
  readonly #recent: RecentIds;
  readonly #created: number;
  readonly #uniqueIds: boolean;
  nextPosition: number;

  /**
   * @param created Unix milliseconds, the same for the whole group
   * @param uniqueIds whether an append of an id that its stream has fails
   */
  constructor(log: EventLog, recent: RecentIds, nextPosition: number, created: number, uniqueIds: boolean) {
    this.#uniqueIds = uniqueIds;
    this.#log = log;
    this.#recent = recent;
    this.nextPosition = nextPosition;
    this.#created = created;
  }

  append(stream: string, expected: ExpectedRevision, events: readonly ProposedEvent[]): WriteResult {
    const ids = events.map(({ id }) => id);
    return this.#decided(stream, expected, ids, (head) => {
      if (this.#uniqueIds) this.#assertNew(stream, events);
      if (events.length === 0)
        return { kind: 'written', revision: head.last, position: this.#lastPosition() };
      const position = this.appendUnchecked(stream, events);
      const revision = this.#head(stream).last;
      if (isSoftDeleted(head)) this.#truncateBefore(stream, head.last + 1);
      else if (isMetastream(stream)) this.#applyMetadata(stream, events);
      return { kind: 'written', revision, position };
    });
  }

  /** Soft delete: truncates the whole stream; later appends are visible again. */
  delete(stream: string, expected: ExpectedRevision, id: string): WriteResult {
    return this.#decided(stream, expected, [id], ({ last }) => {
      return { kind: 'written', revision: last, position: this.#setMetadata(stream, DELETED_METADATA) };
    });
  }

  /** Hard delete: the name can never be used again. */
  tombstone(stream: string, expected: ExpectedRevision, id: string): WriteResult {
    return this.#decided(stream, expected, [id], (head) => {
      const event = {
        id,
        type: TOMBSTONE_TYPE,
        contentType: BINARY_CONTENT,
        data: NOTHING,
        metadata: NOTHING,
      };
      const position = this.#store(event, stream, TOMBSTONE_REVISION, { streamId: 0, revision: -1 });
      this.#describe(stream, { ...head, tombstoned: true });
      return { kind: 'written', revision: head.last, position };
    });
  }

  /** Stores events without checks. Returns the position of the last. */
  appendUnchecked(stream: string, events: readonly ProposedEvent[]): number {
    const head = this.#head(stream);
    const streamId = head.id ?? this.nextPosition;
    let { last } = head;
    let position = this.nextPosition;
    for (const event of events) {
      last += 1;
      position = this.#store(event, stream, last, { streamId, revision: last });
      this.#recent.add(event.id, streamId, last);
    }
    this.#heads.set(stream, { ...head, id: streamId, last });
    if (head.id === undefined) this.#describe(stream, { ...head, id: streamId, last });
    return position;
  }

  /** Streams with new events, or with changed visibility of events. */
  get touched(): Iterable<string> {
    return this.#heads.keys();
  }

  #assertNew(stream: string, events: readonly ProposedEvent[]): void {
    const { id: streamId } = this.#head(stream);
    const known = events.find(({ id }) => this.#recent.find(id, streamId) !== undefined);
    if (known)
      throw new Error(`${stream} has the event ${known.id} already; ${known.type} needs an id of its own.`);
  }

  #describe(stream: string, head: StreamHead): void {
    const { last: _counted, ...description } = head;
    this.#heads.set(stream, head);
    this.descriptions.set(stream, description);
  }

  #head(stream: string): StreamHead {
    return this.#heads.get(stream) ?? this.#log.head(stream);
  }

  /** Writes if the expected revision matches; otherwise returns why not, or the position of the already stored events. */
  #decided(
    stream: string,
    expected: ExpectedRevision,
    ids: readonly string[],
    write: (head: StreamHead) => WriteResult,
  ): WriteResult {
    const head = this.#head(stream);
    if (isMetastream(stream) && this.#head(originalOf(stream)).tombstoned) return { kind: 'deleted' };
    const decision = decideAppend(head, expected, ids, {
      recent: (id) => this.#recent.find(id, head.id),
      at: (revision) => this.#storedId(head, revision),
    });
    switch (decision.kind) {
      case 'write':
        return write(head);
      case 'deleted':
        return decision;
      case 'wrong-revision':
        return { kind: 'wrong-revision', revision: head.last };
      case 'stored-before': {
        const { last } = decision;
        return { kind: 'written', revision: last, position: this.#positionOf(stream, head, last) };
      }
    }
  }

  #storedId({ id }: StreamHead, revision: number): string | undefined {
    const bytes = id === undefined ? undefined : this.#log.event(id, revision);
    return bytes && new StoredRecord(bytes).id;
  }

  #positionOf(stream: string, { id }: StreamHead, revision: number): number {
    const fresh = this.records.find((record) => record.streamId === id && record.revision === revision);
    if (fresh) return fresh.position;
    const bytes = id === undefined ? undefined : this.#log.event(id, revision);
    if (!bytes) throw new Error(`${stream} has no event at revision ${revision}.`);
    return new StoredRecord(bytes).position;
  }

  #truncateBefore(stream: string, revision: number): void {
    this.#setMetadata(stream, withTruncateBefore(this.#head(stream).metadata, revision));
  }

  #setMetadata(stream: string, metadata: string): number {
    const event = {
      id: crypto.randomUUID(),
      type: METADATA_TYPE,
      contentType: JSON_CONTENT,
      data: Buffer.from(metadata),
      metadata: NOTHING,
    };
    const position = this.appendUnchecked(metastreamOf(stream), [event]);
    this.#describe(stream, { ...this.#head(stream), metadata });
    return position;
  }

  /** Metadata of a soft-deleted stream restores it empty, without its old events. */
  #applyMetadata(metastream: string, events: readonly ProposedEvent[]): void {
    const stream = originalOf(metastream);
    const before = this.#head(stream);
    const metadata = Buffer.from(events.at(-1)?.data ?? NOTHING).toString();
    this.#describe(stream, { ...before, metadata });
    if (isSoftDeleted(before)) this.#truncateBefore(stream, before.last + 1);
  }

  #store(
    event: ProposedEvent,
    stream: string,
    revision: number | bigint,
    indexed: { readonly streamId: number; readonly revision: number },
  ): number {
    const position = this.nextPosition;
    const bytes = encodeRecord(event, { stream, revision, position, created: this.#created });
    this.records.push({ ...indexed, position, bytes });
    this.nextPosition += bytes.length;
    return position;
  }

  #lastPosition(): number {
    const last = this.records.at(-1) ?? this.#log.newest(1)[0];
    if (last === undefined) return 0;
    return 'position' in last ? last.position : new StoredRecord(last).position;
  }
}

import type { EventMetadata } from '../../../contracts/events/metadata.ts';

/** A position in the whole log. Both numbers are needed: a checkpoint of only the commit position can skip events. */
export interface Position {
  readonly commit: bigint;
  readonly prepare: bigint;
}

/** `no_stream`: the stream must not exist; a number: the revision of its last event; `any` is for maintenance only. */
export type ExpectedRevision = bigint | 'no_stream' | 'any';

export interface EventToAppend {
  /** Fixed once per command, so that a repeated append stores nothing twice. */
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: EventMetadata;
}

export interface RecordedEvent {
  readonly id: string;
  readonly stream: string;
  /** The part of the stream's name before the first `-`. */
  readonly category: string;
  readonly type: string;
  readonly revision: bigint;
  readonly position: Position;
  /** Upcast to the current schema version; undefined if the stored bytes are not JSON. */
  readonly data: unknown;
  readonly metadata: EventMetadata;
  readonly created: Date;
}

export interface Appended {
  readonly revision: bigint;
  readonly position: Position;
}

export interface ReadStreamOptions {
  /** Inclusive in both directions; default: the first event in the direction. */
  readonly from?: bigint | 'start' | 'end';
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
}

export interface ReadAllOptions {
  /** Inclusive forwards, exclusive backwards. */
  readonly from?: Position | 'start' | 'end';
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
  /** Only streams whose names start with one of these. */
  readonly prefixes?: readonly string[];
  /** Instead of `prefixes`: only events whose types start with one of these. */
  readonly types?: readonly string[];
}

export interface SubscribeOptions {
  /** Exclusive: the first delivered event is the next one. `end`: the log's end when the first message is requested. */
  readonly from: Position | 'start' | 'end';
  /** As for reads of the log. */
  readonly prefixes?: readonly string[];
  readonly types?: readonly string[];
  /** Leaves sealed fields sealed, for readers that do not need them. */
  readonly asStored?: true;
}

/** Deliveries of a subscription, in log order. `caught_up` and `checkpoint` come after every event before them. */
export type SubscriptionMessage =
  | { readonly kind: 'event'; readonly event: RecordedEvent }
  | { readonly kind: 'checkpoint'; readonly position: Position }
  | { readonly kind: 'caught_up' };

export interface Subscription extends AsyncIterable<SubscriptionMessage> {
  close(): Promise<void>;
}

/** The stream's revision differs from the expected one. `actual`: its last revision, or null without events. */
export class WrongExpectedRevision extends Error {
  readonly stream: string;
  readonly actual: bigint | null;

  constructor(stream: string, actual: bigint | null) {
    super(`${stream} is at revision ${actual ?? 'none'}`);
    this.name = 'WrongExpectedRevision';
    this.stream = stream;
    this.actual = actual;
  }
}

/** The store was unreachable, or did not answer, within the deadline. After an append the outcome is unknown. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
}

/**
 * The event store for the service: `@eventstore/db-client` with its pitfalls avoided. One per process. `append` resolves only
 * once the outcome is known; it retries with the same ids and revision until then, and throws `EventStoreUnavailable` after the
 * deadline.
 */
export interface EventStore {
  append(stream: string, expected: ExpectedRevision, events: readonly EventToAppend[]): Promise<Appended>;
  /** The events of a stream; empty if it does not exist. */
  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent>;
  readAll(options?: ReadAllOptions): AsyncIterable<RecordedEvent>;
  /** Catches up, then stays live: resumes from the last *delivered* event after any break, and never stalls silently. */
  subscribe(options: SubscribeOptions): Subscription;
  /** Position of the last event in the log; undefined if it is empty. */
  head(): Promise<Position | undefined>;
  setStreamMetadata(stream: string, metadata: { maxCount?: number; maxAge?: number }): Promise<void>;
  /** Resolves when the server answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

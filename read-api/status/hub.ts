import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { StatusUptime } from '../../contracts/resources/status.ts';
import { lastPosition } from '../../infra/event-store/client/last-position.ts';
import { compare, isAfter, origin } from '../../infra/event-store/client/position.ts';
import type {
  EventStore,
  Position,
  RecordedEvent,
  Subscription,
} from '../../infra/event-store/client/types.ts';
import { emptyBoard, foldStatus, statusAt, uptimeAt, type StatusBoard } from './board.ts';
import { keptIn, type KeptStatus, type StatusChange } from './kept.ts';
import { hasSeen, isEventId, Listeners, type Listener, type ListenersOptions } from './listeners.ts';

export interface StatusHubOptions extends ListenersOptions {
  readonly store: Pick<EventStore, 'head' | 'readAll' | 'subscribe'>;
  readonly logger: Logger;
  /** Path of the file with the last state. */
  readonly file: string;
  /** Interval of the check whether the log can be read, in milliseconds. Default 2000. */
  readonly confirmMs?: number;
}

/** The public status in memory. No call waits for a store. */
export interface StatusHub {
  /** JSON of a `PublicStatus`, and its age in seconds since it was last confirmed complete. */
  current(): { readonly body: string; readonly ageSeconds: number };
  board(): StatusBoard;
  /** The time up to which the board is complete. */
  confirmedAt(): Date;
  uptime(): StatusUptime;
  /** The body of a stream of server-sent events; null at the limit for the address or the process. */
  stream(address: string, lastEventId: string | undefined): Readable | null;
  /** Resolves once the log has been read to its end; at once if a previous process left its state. */
  whenComplete(): Promise<void>;
  /** Number of open streams in this process. */
  count(): number;
  /** Ends every stream. */
  end(): void;
  close(): Promise<void>;
}

const prefixes = ['incident-', 'probe-'];
/** Number of changes kept for clients that reconnect. */
const keptChanges = 50;
/** Age from which a state is marked as stale. */
const staleAfterMs = 10_000;
const rereadMs = 1_000;
/** Interval at which the position is saved without changes. */
const keepEveryMs = 60_000;

/**
 * Follows incidents and probes in the log, and prepares the status for sending.
 *
 * - The state is a fold of the log from its start, or from the file saved by a previous process.
 * - Without a file, until the log has been read to its end, the state is that of the last event read. It is not saved, and streams
 *   wait for the complete one.
 * - While the log cannot be read, the last state is served, with growing age.
 * - Every change is sent to all streams; the last ones are kept for clients that reconnect.
 */
export function createStatusHub(options: StatusHubOptions): StatusHub {
  const hub = new Hub(options);
  return {
    current: () => hub.current(),
    board: () => hub.board,
    confirmedAt: () => hub.confirmedAt,
    uptime: () => uptimeAt(hub.board, options.clock.now()),
    stream: (address, lastEventId) => hub.stream(address, lastEventId),
    whenComplete: () => hub.complete,
    count: () => hub.streams.count,
    end: () => hub.streams.end(),
    close: () => hub.close(),
  };
}

export const frameOf = ({ id, data }: StatusChange): Buffer =>
  Buffer.from(`event: status.updated\nid: ${id}\ndata: ${data}\n\n`);

/** Deterministic in every process. */
function changeOf({ position, created: at }: RecordedEvent, board: StatusBoard): StatusChange {
  const shown = statusAt(board, { at, updatedAt: at.toISOString(), isStale: false });
  return { id: String(position.commit), data: JSON.stringify(shown) };
}

/** Before any event. It was never known to be complete. */
const unread: KeptStatus = {
  position: origin,
  confirmedAt: new Date(0).toISOString(),
  board: emptyBoard,
  changes: [],
};

class Hub {
  readonly streams: Listeners;
  readonly complete: Promise<void>;
  readonly #options: StatusHubOptions;
  readonly #kept: ReturnType<typeof keptIn>;
  readonly #stop = new AbortController();
  #state: KeptStatus;
  /** Whether the state has reached the end of the log once. */
  #isComplete: boolean;
  /** Whether another log is being read, in which the clients' event ids mean nothing. */
  #isOtherLog = false;
  #onComplete: () => void = () => undefined;
  /** The log's last event at a time, ISO 8601; undefined until it could be read. */
  #end: { readonly position: Position; readonly at: string } | undefined;
  #keptAt = 0;
  #subscription: Subscription | undefined;
  #rendered: { readonly body: string; readonly until: number } | undefined;

  constructor(options: StatusHubOptions) {
    this.#options = options;
    this.streams = new Listeners(options);
    this.#kept = keptIn(options.file);
    const kept = this.#kept.read();
    this.#state = kept ?? unread;
    this.#isComplete = kept !== undefined;
    this.complete = this.#isComplete ? Promise.resolve() : new Promise((done) => (this.#onComplete = done));
    void this.#follow();
    void this.#confirm();
  }

  get board(): StatusBoard {
    return this.#state.board;
  }

  get confirmedAt(): Date {
    return new Date(this.#state.confirmedAt);
  }

  current(): { readonly body: string; readonly ageSeconds: number } {
    const at = this.#options.clock.now();
    const now = at.getTime();
    const confirmedAt = Date.parse(this.#state.confirmedAt);
    if (this.#rendered === undefined || now >= this.#rendered.until)
      this.#rendered = { body: this.#render(at), until: now + rereadMs };
    return { body: this.#rendered.body, ageSeconds: Math.max(0, Math.floor((now - confirmedAt) / 1000)) };
  }

  stream(address: string, lastEventId: string | undefined): Readable | null {
    return this.streams.open(address, lastEventId, (listener) => this.#firstFor(listener));
  }

  /** The last request to the store is not awaited: its result is ignored, and it may be slow during an outage. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.streams.end();
    await this.#subscription?.close();
    if (this.#isComplete) this.#keep();
  }

  /** The changes for a client that has seen an event; the present state for a new client. Nothing until the state is complete. */
  #firstFor({ lastEventId }: Pick<Listener, 'lastEventId'>): Buffer {
    const { changes } = this.#state;
    if (!this.#isComplete) return Buffer.alloc(0);
    const first = isEventId(lastEventId)
      ? changes.filter(({ id }) => BigInt(id) > BigInt(lastEventId))
      : [{ id: changes.at(-1)?.id ?? '0', data: this.current().body }];
    return Buffer.concat(first.map(frameOf));
  }

  #render(at: Date): string {
    const { board, confirmedAt } = this.#state;
    const isStale = at.getTime() - Date.parse(confirmedAt) > staleAfterMs;
    return JSON.stringify(statusAt(board, { at, updatedAt: confirmedAt, isStale }));
  }

  async #follow(): Promise<void> {
    const { store, logger } = this.#options;
    while (!this.#isClosed()) {
      try {
        const from = await this.#start();
        if (this.#isClosed()) return;
        this.#subscription = store.subscribe({ from, prefixes });
        for await (const message of this.#subscription) {
          if (message.kind === 'event') this.#apply(message.event);
          else if (message.kind === 'checkpoint') this.#pass(message.position);
        }
      } catch (error) {
        if (this.#isClosed()) return;
        logger.warn({ err: error }, 'The public status cannot be followed; the last known one is served.');
      }
      await this.#pause(rereadMs);
    }
  }

  /** The file's position. A log that ends before it is another log, which is read from its start. */
  async #start(): Promise<Position | 'start'> {
    const head = await this.#options.store.head();
    const { position } = this.#state;
    if (position.commit < 0n) return 'start';
    if (head !== undefined && compare(position, head) <= 0) return position;
    this.#state = unread;
    this.#isComplete = false;
    this.#isOtherLog = true;
    this.#end = undefined;
    return 'start';
  }

  #apply(event: RecordedEvent): void {
    const { type, data, position, created } = event;
    const before = this.#state;
    const board = foldStatus(before.board, { type, data });
    const isShown = board.failing !== before.board.failing || board.incidents !== before.board.incidents;
    const changes = isShown
      ? [...before.changes, changeOf(event, board)].slice(-keptChanges)
      : before.changes;
    this.#state = { ...before, position, board, changes };
    if (!this.#isComplete) this.#readUpTo(created);
    else if (isShown) this.#announce(event);
  }

  /** While the log is read from its start: the state was complete at the time of its last event. */
  #readUpTo(at: Date): void {
    this.#state = { ...this.#state, confirmedAt: at.toISOString() };
    this.#rendered = undefined;
    this.#confirmIfRead();
  }

  /** Sends the last change. */
  #announce(event: RecordedEvent): void {
    this.#rendered = undefined;
    this.#keep();
    const frame = Buffer.concat(this.#state.changes.slice(-1).map(frameOf));
    this.streams.send((listener) => (hasSeen(listener, event) ? undefined : frame));
  }

  #pass(position: Position): void {
    this.#state = { ...this.#state, position };
    if (!this.#isComplete) return this.#confirmIfRead();
    if (this.#options.clock.now().getTime() - this.#keptAt >= keepEveryMs) this.#keep();
  }

  #keep(): void {
    this.#keptAt = this.#options.clock.now().getTime();
    try {
      this.#kept.write(this.#state);
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'The public status was not written to its file.');
    }
  }

  /** After a start, and after each time that the log could not be read, the state has to reach its last event again. */
  async #confirm(): Promise<void> {
    const { store, clock, confirmMs = 2000 } = this.#options;
    while (!this.#isClosed()) {
      const at = clock.now().toISOString();
      const end = this.#end;
      try {
        const position = end?.position ?? (await lastPosition(store, prefixes)) ?? origin;
        if (end !== undefined) await store.head();
        // Unless another log has taken its place meanwhile.
        if (end === this.#end) this.#end = { position, at };
        this.#confirmIfRead();
      } catch {
        this.#end = undefined;
      }
      await this.#pause(confirmMs);
    }
  }

  /** The first time, streams that were opened before are sent what they lack: of another log, the whole state. */
  #confirmIfRead(): void {
    if (this.#end === undefined || isAfter(this.#end.position, this.#state.position)) return;
    this.#state = { ...this.#state, confirmedAt: this.#end.at };
    this.#rendered = undefined;
    if (this.#isComplete) return;
    this.#isComplete = true;
    this.#keep();
    const isOtherLog = this.#isOtherLog;
    this.#isOtherLog = false;
    this.streams.send((listener) => this.#firstFor(isOtherLog ? { lastEventId: undefined } : listener));
    this.#onComplete();
  }

  #isClosed(): boolean {
    return this.#stop.signal.aborted;
  }

  #pause(milliseconds: number): Promise<void> {
    return delay(milliseconds, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }
}

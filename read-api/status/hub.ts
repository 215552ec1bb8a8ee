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
import { addressKey } from '../../infra/platform/address-key.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { emptyBoard, foldStatus, statusAt, uptimeAt, type StatusBoard } from './board.ts';
import { keptIn, type KeptStatus, type StatusChange } from './kept.ts';
import { EventStream, OpenStreams } from '../engine/event-streams.ts';

export interface StatusHubOptions {
  readonly store: Pick<EventStore, 'head' | 'readAll' | 'subscribe'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Path of the file with the last state. */
  readonly file: string;
  /** Interval of the check whether the log can be read, in milliseconds. Default 2000. */
  readonly confirmMs?: number;
  readonly heartbeatMs?: number;
  /** Maximum concurrent streams per address; an IPv6 network of one subscriber is one. */
  readonly streamsPerAddress?: number;
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
  /** Number of open streams in this process. */
  count(): number;
  /** Ends every stream. */
  end(): void;
  close(): Promise<void>;
}

const prefixes = ['incident-', 'probe-'];
/** Buffered bytes from which a listener is disconnected at the next change. */
const longestBacklog = 256 * 1024;
/** Maximum streams of one process. */
const mostStreams = 10_000;
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

class Hub {
  /** Streams by the key of the client's address. */
  readonly streams = new OpenStreams<EventStream, string>();
  /** Number of open streams by the key of the address. */
  readonly #addresses = new Map<string, number>();
  readonly #options: StatusHubOptions;
  readonly #kept: ReturnType<typeof keptIn>;
  readonly #stop = new AbortController();
  #state: KeptStatus;
  #keptAt = 0;
  #subscription: Subscription | undefined;
  #rendered: { readonly body: string; readonly until: number } | undefined;

  constructor(options: StatusHubOptions) {
    this.#options = options;
    this.#kept = keptIn(options.file);
    this.#state = this.#kept.read() ?? this.#initial();
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

  stream(from: string, lastEventId: string | undefined): Readable | null {
    const { streamsPerAddress = 50 } = this.#options;
    const address = addressKey(from);
    const ofAddress = this.#addresses.get(address) ?? 0;
    if (this.streams.count >= mostStreams || ofAddress >= streamsPerAddress) return null;
    this.#count(address, 1);
    return this.streams.open(
      address,
      (onClose) => this.#opened(this.#since(lastEventId), onClose),
      () => this.#count(address, -1),
    );
  }

  #count(address: string, change: number): void {
    const count = (this.#addresses.get(address) ?? 0) + change;
    if (count === 0) this.#addresses.delete(address);
    else this.#addresses.set(address, count);
  }

  #opened(first: readonly StatusChange[], onClose: () => void): EventStream {
    const { clock, heartbeatMs } = this.#options;
    const stream = new EventStream({ clock, heartbeatMs, onClose }, longestBacklog);
    stream.send(Buffer.concat(first.map(frameOf)));
    return stream;
  }

  /** The last request to the store is not awaited: its result is ignored, and it may be slow during an outage. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.streams.end();
    await this.#subscription?.close();
    this.#keep();
  }

  /** Marked as stale until the log has been read. */
  #initial(): KeptStatus {
    const confirmedAt = new Date(this.#options.clock.now().getTime() - staleAfterMs - 1);
    return { position: origin, confirmedAt: confirmedAt.toISOString(), board: emptyBoard, changes: [] };
  }

  /** The changes for a client that has seen this event; the present state for a new client. */
  #since(lastEventId = ''): readonly StatusChange[] {
    const { changes } = this.#state;
    if (/^\d{1,20}$/.test(lastEventId)) return changes.filter(({ id }) => BigInt(id) > BigInt(lastEventId));
    return [{ id: changes.at(-1)?.id ?? '0', data: this.current().body }];
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
    this.#state = this.#initial();
    return 'start';
  }

  #apply(event: RecordedEvent): void {
    const { type, data, position } = event;
    const before = this.#state;
    const board = foldStatus(before.board, { type, data });
    this.#state = { ...before, position, board };
    if (board.failing === before.board.failing && board.incidents === before.board.incidents) return;
    const change = changeOf(event, board);
    this.#state = { ...this.#state, changes: [...before.changes, change].slice(-keptChanges) };
    this.#rendered = undefined;
    this.#keep();
    this.streams.send(frameOf(change));
  }

  #pass(position: Position): void {
    this.#state = { ...this.#state, position };
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
    let last: Position | undefined;
    while (!this.#isClosed()) {
      const askedAt = clock.now().toISOString();
      try {
        if (last === undefined) last = (await lastPosition(store, prefixes)) ?? origin;
        else await store.head();
        if (!isAfter(last, this.#state.position)) {
          this.#state = { ...this.#state, confirmedAt: askedAt };
          this.#rendered = undefined;
        }
      } catch {
        last = undefined;
      }
      await this.#pause(confirmMs);
    }
  }

  #isClosed(): boolean {
    return this.#stop.signal.aborted;
  }

  #pause(milliseconds: number): Promise<void> {
    return delay(milliseconds, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }
}

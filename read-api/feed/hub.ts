import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { AccountId } from '../../contracts/ids.ts';
import { ownerOf } from '../../infra/event-store/client/owner.ts';
import { isAfter, origin } from '../../infra/event-store/client/position.ts';
import { lastPosition } from '../../infra/event-store/client/last-position.ts';
import type { EventStore, Position, RecordedEvent } from '../../infra/event-store/client/types.ts';
import { createSemaphore, type Semaphore } from '../../infra/ephemeral/index.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { allPrefixes } from '../../projections/catalogue.ts';
import { accountEventsReached } from '../../projections/queries/account-event.ts';
import { accountEvents } from '../../projections/read-models/account-event.ts';
import { accessTypes, endsAccess, type Access } from '../engine/access.ts';
import { OpenStreams, streamsPerAccount } from '../engine/event-streams.ts';
import { LogTail } from '../engine/log-tail.ts';
import { Listener, type FeedReading } from './listener.ts';

export interface FeedOptions {
  readonly store: Pick<EventStore, 'readAll' | 'subscribe'>;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly heartbeatMs?: number;
}

/** The request for a stream of the feed of `accountId`, for which it is counted. */
export interface FeedRequest extends Access, FeedReading {}

/** The feeds of accounts as streams of server-sent events. */
export interface Feeds {
  /** The body; null at the account's limit. Rejects with `EventStoreUnavailable`. The caller reads or destroys it. */
  stream(request: FeedRequest): Promise<Readable | null>;
  /** Number of open streams in this process. */
  count(): number;
  /** Ends every stream; streams requested later end at once. */
  end(): void;
  close(): Promise<void>;
}

/**
 * Wakes the streams of an account when its feed has grown.
 *
 * - One subscription of this process to announced events, and to those that end access, started by the first stream.
 * - An announced event of an account with streams is due until the read model has it. While events are due, one query of this
 *   process asks how far the read model is; then the streams read from it.
 */
export function createFeeds(options: FeedOptions): Feeds {
  const hub = new Hub(options);
  return {
    stream: (request) => hub.stream(request),
    count: () => hub.streams.count,
    end: () => hub.streams.end(),
    close: () => hub.close(),
  };
}

/** Pauses between two queries in milliseconds; they grow while the read model does not reach what is due. */
const shortestPauseMs = 8;
const longestPauseMs = 1000;

/** Events of an account that the read model may not have yet. */
interface Due {
  readonly first: Position;
  readonly last: Position;
}

class Hub {
  readonly streams = new OpenStreams<Listener, Access>();
  readonly #options: FeedOptions;
  readonly #permits: Semaphore;
  readonly #tail: LogTail;
  readonly #listeners = new Map<AccountId, Set<Listener>>();
  readonly #due = new Map<AccountId, Due>();
  #isWatching = false;

  constructor(options: FeedOptions) {
    const { store, pool, logger } = options;
    this.#options = options;
    this.#permits = createSemaphore({ pool, logger, permits: streamsPerAccount });
    this.#tail = new LogTail({
      // The projector reads no other streams, and so need not reach the end of the log.
      ...{ store, logger, what: 'Feeds', end: () => lastPosition(store, allPrefixes) },
      filter: { types: [...accountEvents.types, ...accessTypes], asStored: true },
      onEvent: (event) => this.#deliver(event),
      onEnd: () => this.streams.disconnect(),
    });
  }

  async stream(request: FeedRequest): Promise<Listener | null> {
    const permit = await this.#permits.acquire(`feeds of ${request.accountId}`);
    if (permit === null) return null;
    try {
      await this.#tail.follow();
      return this.#listen(request, permit.release);
    } catch (error) {
      permit.release();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#tail.close();
    this.#due.clear();
    await this.#permits.close();
  }

  #listen(request: FeedRequest, onClose: () => void): Listener {
    const { clock, heartbeatMs, logger } = this.#options;
    const { accountId } = request;
    const own = this.#listeners.get(accountId) ?? new Set<Listener>();
    const listener: Listener = this.streams.open(
      request,
      (closed) => new Listener({ ...request, clock, heartbeatMs, logger, onClose: closed }),
      () => {
        own.delete(listener);
        if (own.size === 0) this.#forget(accountId);
        onClose();
      },
    );
    this.#listeners.set(accountId, own.add(listener));
    // The read model may still lack events that were delivered before this stream was opened.
    this.#expect(accountId, this.#tail.seen);
    return listener;
  }

  #forget(accountId: AccountId): void {
    this.#listeners.delete(accountId);
    this.#due.delete(accountId);
  }

  #deliver(event: RecordedEvent): void {
    const owner = ownerOf(event);
    if (owner !== undefined && accountEvents.types.has(event.type)) this.#expect(owner, event.position);
    this.streams.finish((access) => endsAccess(event, access));
  }

  #expect(accountId: AccountId, last: Position): void {
    if (!this.#listeners.has(accountId)) return;
    this.#due.set(accountId, { first: this.#due.get(accountId)?.first ?? last, last });
    if (!this.#isWatching) void this.#watch();
  }

  async #watch(): Promise<void> {
    this.#isWatching = true;
    let pauseMs = shortestPauseMs;
    while (this.#due.size > 0) {
      const hasWoken = this.#wake(await this.#reached());
      pauseMs = hasWoken ? shortestPauseMs : Math.min(pauseMs * 1.25, longestPauseMs);
      if (this.#due.size > 0) await delay(pauseMs, undefined, { ref: false });
    }
    this.#isWatching = false;
  }

  /** Has the streams of the accounts read whose due events the read model has. */
  #wake(reached: Position): boolean {
    let hasWoken = false;
    for (const [accountId, { first, last }] of this.#due) {
      if (isAfter(first, reached)) continue;
      if (isAfter(last, reached)) this.#due.set(accountId, { first: last, last });
      else this.#due.delete(accountId);
      for (const listener of this.#listeners.get(accountId) ?? []) void listener.pull();
      hasWoken = true;
    }
    return hasWoken;
  }

  async #reached(): Promise<Position> {
    try {
      return await accountEventsReached(this.#options.pool);
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'How far the feeds are could not be read.');
      return origin;
    }
  }
}

import type { Readable } from 'node:stream';
import type pg from 'pg';
import type { Logger } from 'pino';
import { agentSessionEvents } from '../../contracts/events/agent-session.ts';
import { streamOf } from '../../contracts/events/catalogue.ts';
import { uuidOf, type AccountId, type AgentSessionId } from '../../contracts/ids.ts';
import type { EventStore, RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { FairTurns } from '../../infra/platform/fair-turns.ts';
import { createSemaphore, type Semaphore } from '../../infra/ephemeral/index.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { accessPrefixes, endsAccess, type Access } from '../engine/access.ts';
import { OpenStreams, streamsPerAccount } from '../engine/event-streams.ts';
import { LogTail } from '../engine/log-tail.ts';
import { Follower } from './follower.ts';
import type { Listener, ListenerOptions } from './listener.ts';
import { entriesFrom, type PlacedEntry } from './steps.ts';

export interface HubOptions {
  readonly store: Pick<EventStore, 'head' | 'readStream' | 'subscribe'>;
  readonly vault: Pick<Vault, 'open'>;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly heartbeatMs?: number;
}

/** The request for a stream. Streams are counted for the agent session's owner, `accountId`. */
export interface StreamRequest extends Access, Pick<ListenerOptions, 'after' | 'finalLength' | 'recheck'> {}

/** Transcripts of agent sessions from the log, as pages of entries and as live streams. */
export interface Transcripts {
  /** At most `limit` entries, oldest first, from a revision on; `accountId`: the reader's. */
  entries(
    id: AgentSessionId,
    accountId: AccountId,
    from: bigint,
    limit: number,
  ): Promise<readonly PlacedEntry[]>;
  /**
   * The body of a stream of server-sent events; null at the account's limit. Rejects with
   * `EventStoreUnavailable`. The caller reads or destroys it.
   */
  stream(id: AgentSessionId, request: StreamRequest): Promise<Readable | null>;
  /** Number of open streams in this process. */
  count(): number;
  /** Ends every stream; streams requested later end at once. */
  end(): void;
  close(): Promise<void>;
}

/**
 * Streams of agent sessions that are read at once in this process, in all and for one account: for a page, for the place where a listener resumes,
 * and for a batch of a catch-up. An agent session may have hundreds of thousands of events without an entry, and only entries are sent.
 */
const reads = { total: 3, perKey: 2 } as const;

/**
 * Fans the log out to the listeners of this process: one subscription to all agent sessions and to events that end access,
 * started by the first listener, and one follower per session with listeners. A subscription that fails permanently ends all
 * streams; their clients reconnect, which starts a new one.
 */
export function createTranscripts(options: HubOptions): Transcripts {
  const turns = new FairTurns(reads);
  const hub = new Hub({ ...options, turns });
  return {
    entries: (id, accountId, from, limit) =>
      turns.hold(accountId, () =>
        entriesFrom(options, streamOf(agentSessionEvents, uuidOf(id)), from, limit),
      ),
    stream: (id, request) => hub.stream(id, request),
    count: () => hub.streams.count,
    end: () => hub.streams.end(),
    close: () => hub.close(),
  };
}

class Hub {
  readonly streams = new OpenStreams<Listener, Access>();
  readonly #options: HubOptions & { readonly turns: FairTurns };
  readonly #permits: Semaphore;
  readonly #followers = new Map<string, Follower>();
  readonly #tail: LogTail;

  constructor(options: HubOptions & { readonly turns: FairTurns }) {
    const { store, pool, logger } = options;
    this.#options = options;
    this.#permits = createSemaphore({ pool, logger, permits: streamsPerAccount });
    this.#tail = new LogTail({
      ...{ store, logger, what: 'Transcripts', end: () => store.head() },
      filter: { prefixes: ['agent_session-', ...accessPrefixes] },
      onEvent: (event) => this.#deliver(event),
      onEnd: () => this.streams.disconnect(),
    });
  }

  async stream(id: AgentSessionId, request: StreamRequest): Promise<Listener | null> {
    const permit = await this.#permits.acquire(`transcripts of ${request.accountId}`);
    if (permit === null) return null;
    try {
      await this.#tail.follow();
      return this.#listen(streamOf(agentSessionEvents, uuidOf(id)), request, permit.release);
    } catch (error) {
      permit.release();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#tail.close();
    await this.#permits.close();
  }

  #listen(stream: string, request: StreamRequest, onClose: () => void): Listener {
    const { clock, heartbeatMs } = this.#options;
    const follower = this.#followers.get(stream) ?? new Follower(this.#options, stream);
    this.#followers.set(stream, follower);
    return this.streams.open(
      request,
      (closed) => follower.listen({ ...request, heartbeatMs, clock, onClose: closed }),
      () => {
        if (follower.isIdle) this.#followers.delete(stream);
        onClose();
      },
    );
  }

  #deliver(event: RecordedEvent): void {
    this.#followers.get(event.stream)?.deliver(event);
    this.streams.finish((access) => endsAccess(event, access));
  }
}

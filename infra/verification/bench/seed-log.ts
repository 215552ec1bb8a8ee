import type { SessionEvent } from '../../../contracts/events/session.ts';
import { toId, type AccountId } from '../../../contracts/ids.ts';
import type { EventStore, EventToAppend } from '../../event-store/client/index.ts';
import { inFlight } from './load.ts';

export interface SeedOptions {
  readonly seed: number;
  /** Events of the whole log; the last stream may be cut. */
  readonly events: number;
  /** Events of one session's life; 1 gives a session per event. */
  readonly perStream: number;
  /** Events of one append, at most. The more, the faster: a thousand stay below the store's megabyte. */
  readonly perAppend: number;
  /** Accounts of the sessions, in turn; by default one made-up account. */
  readonly accounts?: readonly AccountId[];
  /** Number of the first stream: the number of existing ones when a log is seeded in steps. */
  readonly firstStream?: number;
}

/** Concurrent appends. */
const concurrency = 32;

/** 2026-01-05T12:00:00Z; each stream starts a second after the one before it. */
const epochMs = 1_767_614_400_000;

/** The uuid of stream 0, which no event has. */
const accountPart = 0xfffff;

const operations = ['navigate', 'interact', 'wait', 'capture'] as const;

/**
 * Fills a log with the lives of sessions, the same ones for the same seed. Streams are written whole, several at once.
 */
export async function seedLog(store: EventStore, options: SeedOptions): Promise<void> {
  const { events, perStream, perAppend, firstStream = 0 } = options;
  await inFlight(Math.ceil(events / perStream), concurrency, async (index) => {
    const stream = firstStream + index;
    const life = seededLife(stream, Math.min(perStream, events - index * perStream), options);
    for (let from = 0; from < life.length; from += perAppend) {
      const expected = from === 0 ? 'no_stream' : BigInt(from - 1);
      await store.append(seededStream(options.seed, stream), expected, life.slice(from, from + perAppend));
    }
  });
}

/** The name of the stream that `seedLog` writes as number `index`. */
export const seededStream = (seed: number, index: number): string => `session-${seededUuid(seed, index, 0)}`;

/**
 * The first `length` events of a session: requested, ready, operations claimed and settled, and destroyed if the number
 * is even.
 */
export function seededLife(
  stream: number,
  length: number,
  { seed, accounts = [] }: Pick<SeedOptions, 'seed' | 'accounts'>,
): readonly EventToAppend[] {
  const account = accounts[stream % accounts.length] ?? toId('account', seededUuid(seed, 0, accountPart));
  return Array.from({ length }, (_, revision) => {
    const at = new Date(epochMs + 1_000 * stream + revision).toISOString();
    const life = { seed, stream, account, last: revision === length - 1 };
    return {
      id: seededUuid(seed, stream, revision + 1),
      ...eventAt(life, revision, at),
      metadata: {
        correlation_id: seededUuid(seed, stream, 0),
        causation_id: seededUuid(seed, stream, revision),
        actor: { kind: 'api_key', account_id: account },
        occurred_at: at,
        schema_version: 1,
        request_id: `req_${seededUuid(seed, stream, revision)}`,
      },
    };
  });
}

interface Life {
  readonly seed: number;
  readonly stream: number;
  readonly account: AccountId;
  readonly last: boolean;
}

function eventAt({ seed, stream, account, last }: Life, revision: number, at: string): SessionEvent {
  const sessionId = toId('session', seededUuid(seed, stream, 0));
  if (revision === 0) return requested(sessionId, account, seededUuid(seed, stream, 1), at);
  if (revision === 1) return { type: 'SessionReady', data: { sessionId, at } };
  const epoch = Math.floor(revision / 2);
  const operation = operations[epoch % operations.length] ?? 'navigate';
  const claim = { sessionId, operation, dispatchId: seededUuid(seed, stream, 2 * epoch), epoch, at };
  if (revision % 2 === 1) {
    const settled = { ...claim, outcome: 'succeeded', failureCategory: null, durationMs: 120 } as const;
    return { type: 'OperationSettled', data: settled };
  }
  return last
    ? { type: 'SessionDestroyed', data: { sessionId, cause: 'customer', durationMs: revision, at } }
    : { type: 'OperationClaimed', data: claim };
}

const requested = (
  sessionId: ReturnType<typeof toId<'session'>>,
  accountId: AccountId,
  dispatchId: string,
  at: string,
): SessionEvent => ({
  type: 'SessionRequested',
  data: {
    sessionId,
    accountId,
    archetype: 'iphone-16-ios-18',
    profileId: null,
    label: 'seeded',
    metadata: { purpose: 'bench' },
    tier: 'enterprise',
    nodeId: null,
    dispatchId,
    leaseExpiresAt: at,
    expiresAt: null,
    at,
  },
});

/** Spread like a random uuid, yet the same for the same numbers; unique below 2^28 streams of a million events. */
function seededUuid(seed: number, stream: number, part: number): string {
  const high = hex(mixed(seed ^ mixed(stream)), 8);
  const low = hex(mixed(mixed(stream) ^ part), 8);
  const tail = hex(stream, 7) + hex(part, 5);
  return `${high}-${low.slice(0, 4)}-4${low.slice(5)}-8${high.slice(5)}-${tail}`;
}

const hex = (value: number, digits: number): string => (value >>> 0).toString(16).padStart(digits, '0');

/** The finishing step of MurmurHash3: every bit of the number moves every bit of the result. */
function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

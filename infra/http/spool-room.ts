import type { AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { ByteLimiter } from '../platform/byte-limiter.ts';
import { ConcurrencyLimiter } from '../platform/concurrency-limiter.ts';
import { FairSemaphore } from '../platform/fair-semaphore.ts';

/**
 * Limits of concurrent requests of a route, in total and per account, from the first byte to the answer. The total is so high that a few
 * accounts that send slowly do not reach it.
 */
const limits = { total: 256, perKey: 2 } as const;
/** The limits where the account's bytes are counted, too. */
const countedLimits = { total: 1024, perKey: 64 } as const;
/** Maximum bytes of a route's files on disk. They count once they have arrived: what is only announced takes no room. */
const mostOnDisk = 4 * 1024 * 1024 * 1024;
/** Complete files that are processed at the same time, unless the account's bytes are counted. */
const processedAtOnce = 8;
/** Maximum wait of a complete file, in milliseconds: well below that of the gateway for the answer. */
const waitMs = 60_000;

export interface SpoolReservation {
  /** The same content, counted while it arrives. Refuses it if the disk has no more room for it. */
  readonly counted: (content: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
  /** Resolves when the complete file may be processed, accounts in turn. Refuses `feature-unavailable` after a minute, or once `left` aborts. */
  readonly turn: (left: AbortSignal) => Promise<void>;
  /** Idempotent. */
  readonly release: () => void;
}

/**
 * Reserves room for requests of a route: by number, by bytes on disk and, if the route says so, by announced bytes of each account. Returns
 * undefined above an account's bytes; refuses `feature-unavailable` above the number.
 */
export function spoolRoom({ mostBytes, accountBytes }: NonNullable<Route['spools']>, most = mostOnDisk) {
  const isCounted = accountBytes !== undefined;
  const requests = new ConcurrencyLimiter(isCounted ? countedLimits : limits);
  const ofAccount = new ByteLimiter<AccountId>(accountBytes ?? Infinity);
  const onDisk = new ByteLimiter<'all'>(most);
  const turns = new FairSemaphore(isCounted ? Infinity : processedAtOnce);
  return (accountId: AccountId, announced = mostBytes): SpoolReservation | undefined => {
    const releases = [requests.acquire(accountId)];
    const release = () => releases.splice(0).forEach((each) => each());
    const bytes = Math.min(mostBytes, announced);
    if (!ofAccount.acquire(accountId, bytes)) {
      release();
      return undefined;
    }
    releases.push(() => ofAccount.release(accountId, bytes));
    const counted = async function* (content: AsyncIterable<Buffer>) {
      let arrived = 0;
      releases.push(() => onDisk.release('all', arrived));
      for await (const chunk of content) {
        if (!onDisk.acquire('all', chunk.length)) throw noRoom();
        arrived += chunk.length;
        yield chunk;
      }
    };
    const turn = async (left: AbortSignal) => {
      const over = AbortSignal.any([left, AbortSignal.timeout(waitMs)]);
      await turns.acquire(accountId, over).catch(() => {
        throw noTurn();
      });
      releases.push(() => turns.release());
    };
    return { counted, turn, release };
  };
}

const soon = { retry_after_seconds: 5 };
const noRoom = () =>
  refuse('feature-unavailable', 'There is no room for more files at the moment. Try again soon.', soon);
const noTurn = () =>
  refuse('feature-unavailable', 'Too many files are waiting to be processed. Send it again soon.', soon);

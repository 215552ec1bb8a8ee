import { Readable } from 'node:stream';
import type { AccountId } from '../../contracts/ids.ts';
import { streamsPerAccount } from './event-streams.ts';

/**
 * The streams of a past, each with its frames to the last one. Those of an account are counted in this process, because no other
 * serves this past and its Postgres cannot be written to.
 */
export function createPastStreams() {
  const streams = new Map<Readable, AccountId>();
  return {
    /** Null at the account's limit. */
    open(accountId: AccountId, frames: AsyncIterable<string | Buffer>): Readable | null {
      const own = [...streams.values()].filter((each) => each === accountId);
      if (own.length >= streamsPerAccount) return null;
      const stream = Readable.from(frames);
      streams.set(stream, accountId);
      stream.once('close', () => streams.delete(stream));
      return stream;
    },
    count: () => streams.size,
    end(): void {
      for (const stream of streams.keys()) stream.destroy();
    },
  };
}

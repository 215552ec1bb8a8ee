import { Readable } from 'node:stream';
import type { EventStore, Position } from '../../infra/event-store/client/types.ts';
import { streamOpened } from '../../infra/http/index.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { storeUpTo } from '../engine/store-up-to.ts';
import { streamsPerAccount, type StreamRequest, type Transcripts } from './hub.ts';
import { entriesFrom, revisionBefore, stepsFrom, streamOf } from './steps.ts';

interface Log {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly vault: Pick<Vault, 'open'>;
}

/** Batch size of a stream. */
const batch = 200;

/**
 * Transcripts as of a position. A stream ends after the last entry of that time. The streams of an account are counted in this process,
 * because no other serves this past and its Postgres cannot be written to.
 */
export function pastTranscripts({ store, vault }: Log, position: Position): Transcripts {
  const past = { store: storeUpTo(store, position), vault };
  const open = new Map<Readable, StreamRequest['accountId']>();
  const end = () => {
    for (const stream of open.keys()) stream.destroy();
  };
  return {
    entries: (id, from, limit) => entriesFrom(past, streamOf(id), from, limit),
    async stream(id, { after, accountId }) {
      const own = [...open.values()].filter((each) => each === accountId);
      if (own.length >= streamsPerAccount) return null;
      const stream = Readable.from(framesAfter(past, streamOf(id), after));
      open.set(stream, accountId);
      stream.once('close', () => open.delete(stream));
      return stream;
    },
    count: () => open.size,
    end,
    close: async () => end(),
  };
}

async function* framesAfter(past: Log, stream: string, after: number) {
  yield streamOpened;
  let next = await revisionBefore(past, stream, after);
  for (;;) {
    const steps = await stepsFrom(past, stream, next, batch);
    for (const { entry } of steps) if (entry !== null && entry.index > after) yield entry.frame;
    const last = steps.at(-1);
    if (last === undefined) return;
    next = last.revision + 1n;
  }
}

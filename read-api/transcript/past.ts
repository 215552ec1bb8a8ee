import { agentSessionEvents } from '../../contracts/events/agent-session.ts';
import { streamOf } from '../../contracts/events/catalogue.ts';
import { uuidOf } from '../../contracts/ids.ts';
import type { EventStore, Position } from '../../infra/event-store/client/types.ts';
import { streamOpened } from '../../infra/http/index.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { createPastStreams } from '../engine/past-streams.ts';
import { storeUpTo } from '../engine/store-up-to.ts';
import type { Transcripts } from './hub.ts';
import { entriesFrom, revisionBefore, stepsFrom } from './steps.ts';

interface Log {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly vault: Pick<Vault, 'open'>;
}

/** Batch size of a stream. */
const batch = 200;

/** Transcripts as of a position. A stream ends after the last entry of that time. */
export function pastTranscripts({ store, vault }: Log, position: Position): Transcripts {
  const past = { store: storeUpTo(store, position), vault };
  const { open, count, end } = createPastStreams();
  return {
    entries: (id, _accountId, from, limit) =>
      entriesFrom(past, streamOf(agentSessionEvents, uuidOf(id)), from, limit),
    stream: async (id, { after, accountId }) =>
      open(accountId, framesAfter(past, streamOf(agentSessionEvents, uuidOf(id)), after)),
    ...{ count, end },
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

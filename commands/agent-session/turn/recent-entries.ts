import { addsEntry, type EntryEvent } from '../../../contracts/events/agent-transcript.ts';
import { agentSessionEvents, type AgentSessionEvent } from '../../../contracts/events/agent-session.ts';
import { streamOf } from '../../../contracts/events/catalogue.ts';
import { uuidOf, type AgentSessionId } from '../../../contracts/ids.ts';
import { longestTranscript } from '../../../infra/model/port.ts';
import type { EventStore } from '../../../infra/event-store/client/types.ts';
import { Cache } from '../../../infra/platform/cache.ts';
import { hasKnownType } from '../../engine/recording.ts';

/** Number of events at the end of a stream that are searched for entries. */
const eventsSearched = 400;
const sessionsCached = 500;
/** Maximum cached size for a session; larger ones are read again each time. */
const charactersCached = 64 * 1024;

/** The last entries of a stream, oldest first, sealed as they are stored. */
interface Known {
  /** Last revision that was read. */
  readonly revision: bigint;
  readonly entries: readonly EntryEvent[];
}

/**
 * Caches the last entries of transcripts, which turns send to models, so that a process does not read its own events. Bodies stay sealed,
 * so that they are unreadable once their data key is destroyed.
 */
export class RecentEntries {
  readonly #store: Pick<EventStore, 'readStream'>;
  readonly #known = new Cache<AgentSessionId, Known>({ maxEntries: sessionsCached });

  constructor(store: Pick<EventStore, 'readStream'>) {
    this.#store = store;
  }

  /** Adds events of this process; `revision` is that of the last one. */
  appended(id: AgentSessionId, events: readonly AgentSessionEvent[], revision: bigint): void {
    const known = this.#known.get(id);
    if (known?.revision !== revision - BigInt(events.length)) return;
    this.#keep(id, { revision, entries: latest([...known.entries, ...events.filter(addsEntry)]) });
  }

  async upTo(id: AgentSessionId, revision: bigint): Promise<readonly EntryEvent[]> {
    const known = this.#known.get(id);
    if (known?.revision === revision) return known.entries;
    const stream = streamOf(agentSessionEvents, uuidOf(id));
    const newestFirst = { direction: 'backwards', from: revision, limit: eventsSearched } as const;
    const entries: EntryEvent[] = [];
    for await (const event of this.#store.readStream(stream, newestFirst)) {
      if (!hasKnownType<AgentSessionEvent>(agentSessionEvents, event) || !addsEntry(event)) continue;
      entries.unshift(bare(event));
      if (entries.length === longestTranscript) break;
    }
    this.#keep(id, { revision, entries });
    return entries;
  }

  #keep(id: AgentSessionId, known: Known): void {
    if (known.entries.reduce((sum, entry) => sum + sizeOf(entry), 0) <= charactersCached)
      this.#known.set(id, known);
    else this.#known.delete(id);
  }
}

/** Drops fields that only readers of the stream need. */
const bare = ({ type, data }: EntryEvent): EntryEvent => ({ type, data }) as EntryEvent;

const latest = (entries: readonly EntryEvent[]): readonly EntryEvent[] => entries.slice(-longestTranscript);

const sizeOf = ({ data }: EntryEvent): number =>
  ('sealedMessage' in data ? (data.sealedMessage?.length ?? 0) : 0) +
  ('sealedAnswer' in data ? data.sealedAnswer.length : 0);

import { addsEntry, type EntryEvent } from '../../../contracts/events/agent-transcript.ts';
import { agentSessionEvents, type AgentSessionEvent } from '../../../contracts/events/agent-session.ts';
import { uuidOf, type AgentSessionId } from '../../../contracts/ids.ts';
import { longestTranscript } from '../../../infra/model/port.ts';
import type { EventStore } from '../../../infra/event-store/client/types.ts';
import { Cache } from '../../../infra/platform/cache.ts';
import { isKnown } from '../../engine/recording.ts';

/** Number of events at the end of a stream that are searched for entries. */
const eventsSearched = 400;
const sessionsCached = 500;
/** Maximum cached size for a session; larger ones are read again each time. */
const charactersCached = 64 * 1024;

/** The last entries of a stream, oldest first, as they are stored: sealed. */
interface Known {
  /** Up to which the stream was looked at. */
  readonly revision: bigint;
  readonly entries: readonly EntryEvent[];
}

/**
 * The last entries of transcripts, as turns tell them to models. A process that carries on a conversation alone does not read what it
 * has appended itself. Bodies stay sealed here, so that a data key that is destroyed is asked for in vain from then on.
 */
export class RecentEntries {
  readonly #store: Pick<EventStore, 'readStream'>;
  readonly #known = new Cache<AgentSessionId, Known>({ maxEntries: sessionsCached });

  constructor(store: Pick<EventStore, 'readStream'>) {
    this.#store = store;
  }

  /** Events of this process, of which the last has the revision. */
  appended(id: AgentSessionId, events: readonly AgentSessionEvent[], revision: bigint): void {
    const known = this.#known.get(id);
    if (known?.revision !== revision - BigInt(events.length)) return;
    this.#keep(id, { revision, entries: latest([...known.entries, ...events.filter(addsEntry)]) });
  }

  async upTo(id: AgentSessionId, revision: bigint): Promise<readonly EntryEvent[]> {
    const known = this.#known.get(id);
    if (known?.revision === revision) return known.entries;
    const stream = `agent_session-${uuidOf(id)}`;
    const newestFirst = { direction: 'backwards', from: revision, limit: eventsSearched } as const;
    const entries: EntryEvent[] = [];
    for await (const event of this.#store.readStream(stream, newestFirst)) {
      if (!isKnown<AgentSessionEvent>(agentSessionEvents, event) || !addsEntry(event)) continue;
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

/** Without what is only needed where an event is read. */
const bare = ({ type, data }: EntryEvent): EntryEvent => ({ type, data }) as EntryEvent;

const latest = (entries: readonly EntryEvent[]): readonly EntryEvent[] => entries.slice(-longestTranscript);

const sizeOf = ({ data }: EntryEvent): number =>
  ('sealedMessage' in data ? (data.sealedMessage?.length ?? 0) : 0) +
  ('sealedAnswer' in data ? data.sealedAnswer.length : 0);

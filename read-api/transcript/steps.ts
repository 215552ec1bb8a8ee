import type { AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import { addsEntry, entryOf, type OpenSealed } from '../../contracts/events/agent-transcript.ts';
import type { IndexedEntry } from '../../contracts/resources/agent-turn.ts';
import type { EventStore, RecordedEvent } from '../../infra/event-store/client/types.ts';
import { frame } from '../../infra/http/index.ts';
import type { Vault } from '../../infra/vault/index.ts';

/** Only its own writers append to the category, validated against its schema. */
const eventIn = ({ type, data }: RecordedEvent): AgentSessionEvent => ({ type, data }) as AgentSessionEvent;

/** The effect of an agent session's event on its transcript. */
export interface Step {
  readonly revision: bigint;
  /** The added entry, as sent. */
  readonly entry: { readonly index: number; readonly frame: Buffer } | null;
  readonly turn: 'begins' | 'ends' | null;
  readonly closes: boolean;
}

type Open = Pick<Vault, 'open'>;

const turns: Readonly<Partial<Record<AgentSessionEvent['type'], Step['turn']>>> = {
  TurnAdmitted: 'begins',
  // If the admission added no entry, a client that already has the turn's entry resumes at this event.
  MessageRecorded: 'begins',
  TurnSettled: 'ends',
  TurnFailed: 'ends',
  TurnSuperseded: 'ends',
  TurnAbandoned: 'ends',
};

export async function stepOf(recorded: RecordedEvent, vault: Open): Promise<Step> {
  const event = eventIn(recorded);
  const added = await openedEntry(event, vault);
  return {
    revision: recorded.revision,
    entry: added && { index: added.index, frame: frameOf(added) },
    turn: turns[event.type] ?? null,
    closes: event.type === 'AgentSessionClosed',
  };
}

const frameOf = (entry: IndexedEntry): Buffer =>
  Buffer.from(frame({ event: 'transcript.entry', id: String(entry.index), data: entry }));

function openedEntry(event: AgentSessionEvent, vault: Open): Promise<IndexedEntry | null> {
  const open: OpenSealed = async (field, sealed) => {
    const opened = await vault.open(event.data.accountId, field, sealed);
    return 'text' in opened ? opened.text : null;
  };
  return entryOf(event, open);
}

interface Log {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly vault: Open;
}

/** At most `limit` steps from a revision on; fewer at the end of the stream. */
export async function stepsFrom(
  { store, vault }: Log,
  stream: string,
  from: bigint,
  limit: number,
): Promise<Step[]> {
  const steps: Step[] = [];
  for await (const event of store.readStream(stream, { from, limit })) steps.push(await stepOf(event, vault));
  return steps;
}

/**
 * The revision from which to read every entry after an index. It is that of the last event that added an entry up to
 * the index; the event itself is read again, because it shows whether a turn is running.
 */
export async function revisionBefore(
  { store }: Pick<Log, 'store'>,
  stream: string,
  index: number,
): Promise<bigint> {
  if (index < 0) return 0n;
  for await (const recorded of store.readStream(stream, { direction: 'backwards' })) {
    const event = eventIn(recorded);
    if (addsEntry(event) && event.data.entryIndex <= index) return recorded.revision;
  }
  return 0n;
}

/** An entry and the revision of the event that added it. */
export interface PlacedEntry {
  readonly entry: IndexedEntry;
  readonly revision: bigint;
}

/** At most `limit` entries, oldest first, from a revision on. */
export async function entriesFrom(
  { store, vault }: Log,
  stream: string,
  from: bigint,
  limit: number,
): Promise<PlacedEntry[]> {
  const entries: PlacedEntry[] = [];
  for await (const recorded of store.readStream(stream, { from })) {
    const entry = await openedEntry(eventIn(recorded), vault);
    if (entry === null) continue;
    entries.push({ entry, revision: recorded.revision });
    if (entries.length === limit) break;
  }
  return entries;
}

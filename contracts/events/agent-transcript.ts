import type { IndexedEntry, ShownIntent, TranscriptEntry } from '../resources/agent-turn.ts';
import { sealedFields, type AgentSessionEvent } from './agent-session.ts';

/** Opens a text sealed with the account's data key; null once that key is destroyed. */
export type OpenSealed = (field: string, sealed: string) => Promise<string | null>;

/** The contents of `sealedMessage` and `sealedAnswer`, as JSON. */
export interface SealedBody {
  readonly body: string;
  /** Intents of an executed plan. */
  readonly intents?: readonly ShownIntent[];
  /** Result of a message with a `result_schema`. */
  readonly result?: TurnResult;
  /** In an agent's entry: sites whose words it may contain; registrable domains, or `=` and a host. Absent: unknown. */
  readonly heard?: readonly string[];
  /** Intents that need the user's approval. */
  readonly held?: readonly HeldIntent[];
}

/** The value for a `result_schema`. `error`: null after success. */
export interface TurnResult {
  readonly value: unknown;
  readonly error: string | null;
}

/** Recognises an intent that waits for an approval when it is planned again. */
export interface HeldIntent {
  /** Index in the answer's intents. */
  readonly index: number;
  /** Its kind or, for an interaction, that of its action. */
  readonly act: string;
  /** The site of the intent; null if unknown, which is never approved. */
  readonly site: string | null;
  /** Keyed digest of the data that it sends. Null or unkeyed in answers of earlier releases. */
  readonly digest: string | null;
}

/** The body of an entry whose key is erased. */
const erased: SealedBody = { body: 'erased' };

/** The agent's entry for a turn whose process died without an answer. */
export const lostTurnBody =
  'The process that carried this out stopped before it was done. It is unknown whether the last step took effect; it was not repeated.';

/** The user's entry if the process died before the message was recorded. */
export const lostMessageBody = 'This message was lost because the process that should carry it out stopped.';

/** The entry that an event adds to its agent session's transcript; null if none. Rejects as `open` does. */
export async function entryOf(event: AgentSessionEvent, open: OpenSealed): Promise<IndexedEntry | null> {
  if (!addsEntry(event)) return null;
  const opened = async (field: string, sealed: string): Promise<SealedBody> => {
    const text = await open(field, sealed);
    return text === null ? erased : (JSON.parse(text) as SealedBody);
  };
  switch (event.type) {
    case 'MessageLogged':
    case 'TurnAdmitted':
    case 'MessageRecorded': {
      const { turnId, sealedMessage } = event.data;
      const role = event.type === 'MessageLogged' ? 'operator' : 'user';
      const message =
        sealedMessage === null
          ? { body: lostMessageBody }
          : await opened(sealedFields.message(turnId), sealedMessage);
      return entry(event.data, role, message);
    }
    case 'TurnSettled':
    case 'TurnFailed':
    case 'TurnSuperseded': {
      const { turnId, sealedAnswer } = event.data;
      return entry(event.data, 'agent', await opened(sealedFields.answer(turnId), sealedAnswer));
    }
    case 'TurnAbandoned':
      return entry(event.data, 'agent', { body: lostTurnBody });
  }
}

type Indexing = Extract<AgentSessionEvent, { data: { readonly entryIndex: number | null } }>;
export type EntryEvent = Indexing & { readonly data: { readonly entryIndex: number } };
/** Whether the event adds an entry to the transcript. */
export const addsEntry = (event: AgentSessionEvent): event is EntryEvent =>
  'entryIndex' in event.data && event.data.entryIndex !== null;

const entry = (
  { entryIndex, at }: { readonly entryIndex: number; readonly at: string },
  role: TranscriptEntry['role'],
  { body, intents, result }: SealedBody,
): IndexedEntry => ({
  index: entryIndex,
  entry: {
    ...{ role, body, at },
    ...(intents !== undefined && { intents: [...intents] }),
    ...(result !== undefined && { result: result.value, result_error: result.error }),
  },
});

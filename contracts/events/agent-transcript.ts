import type { IndexedEntry, ShownIntent, TranscriptEntry } from '../resources/agent-turn.ts';
import { sealedFields, type AgentSessionEvent } from './agent-session.ts';

/** Opens what was sealed with the account's data key; null when that key has been destroyed. */
export type OpenSealed = (field: string, sealed: string) => Promise<string | null>;

/** What `sealedMessage` and `sealedAnswer` hold as JSON. */
export interface SealedBody {
  readonly body: string;
  /** Of a plan that was carried out. */
  readonly intents?: readonly ShownIntent[];
  /** Of a message with a `result_schema`. */
  readonly result?: TurnResult;
  /** Sites whose words it may have: registrable domains, or `=` and a host. Of an agent's entry. */
  readonly heard?: readonly string[];
  /** What was not carried out until the user approves it. */
  readonly held?: readonly HeldIntent[];
}

/** What a `result_schema` was filled in with. `error`: null if it was. */
export interface TurnResult {
  readonly value: unknown;
  readonly error: string | null;
}

/** What an intent that waits for an approval is recognised by when it is planned again. */
export interface HeldIntent {
  /** Among the intents that the answer shows. */
  readonly index: number;
  /** Its kind or, of an interaction, that of its action. */
  readonly act: string;
  /** Where it was to be done; null if that was not known, and then nothing is. */
  readonly site: string | null;
  /** SHA-256 of what it sends; null if that is secret. */
  readonly digest: string | null;
}

/** The body of an entry whose key is erased. */
const erased: SealedBody = { body: 'erased' };

/** The agent's entry for a turn whose process is gone, which left no words of its own. */
export const lostTurnBody =
  'The process that carried this out stopped before it was done. Whether the last step took effect is not known, and it was not tried again.';

/** The user's entry where the process that had its words stopped before they were recorded. */
export const lostMessageBody = 'This message was lost with the process that was to carry it out.';

/**
 * The entry that an event adds to the transcript of its agent session; null for an event that adds none. Rejects as `open` does.
 */
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

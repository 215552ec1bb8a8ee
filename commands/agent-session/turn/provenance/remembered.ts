import {
  entryOf,
  type EntryEvent,
  type HeldIntent,
  type OpenSealed,
  type SealedBody,
} from '../../../../contracts/events/agent-transcript.ts';
import type { TranscriptEntry } from '../../../../contracts/resources/agent-turn.ts';
import type { Site } from './site.ts';

/** An entry of the conversation, with its stored sites and held intents. */
export interface Remembered extends TranscriptEntry {
  /** Sites whose words it may contain; undefined if not stored. */
  readonly heard?: readonly Site[];
  readonly held?: readonly HeldIntent[];
  /** Whether its turn ended with a problem instead of an answer. */
  readonly isProblem?: boolean;
}

export async function rememberedOf(event: EntryEvent, open: OpenSealed): Promise<Remembered | null> {
  let kept: Pick<SealedBody, 'heard' | 'held'> = {};
  const entry = await entryOf(event, async (field, sealed) => {
    const text = await open(field, sealed);
    if (text !== null) kept = JSON.parse(text) as SealedBody;
    return text;
  });
  if (entry === null) return null;
  const { heard, held } = kept;
  // These entries contain only our own words.
  const isProblem = event.type === 'TurnFailed';
  const isOurs = event.type === 'TurnAbandoned' || isProblem;
  return {
    ...{ ...entry.entry, isProblem },
    ...(isOurs ? { heard: [] } : heard && { heard }),
    ...(held && { held }),
  };
}

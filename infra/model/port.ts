import type { TurnUsage } from '../../contracts/events/agent-session.ts';
import type { Observation } from '../../contracts/resources/observation.ts';
import type { Intent, IntentResult, Plan, TranscriptEntry } from '../../contracts/resources/agent-turn.ts';
import type { ResultForm } from './result-form.ts';

/**
 * What the grammar makes of a message: all of it, which may be more intents than a plan may have, or what it understood before it
 * no longer did.
 */
export type Understood =
  | { readonly covers: true; readonly intents: readonly Intent[] }
  | { readonly covers: false; readonly understood: readonly string[]; readonly rest: string };

export type Grammar = (message: string) => Understood;

/** Entries of the conversation that a call carries. */
export const longestTranscript = 20;

export interface ModelCall {
  readonly model: string;
  readonly apiKey: string;
  readonly message: string;
  /** What was said before, oldest first; of more than `longestTranscript`, the last. */
  readonly transcript: readonly TranscriptEntry[];
  /** The names of the message's variables; their values are not known here. */
  readonly variables?: readonly string[];
  /** Null where there is no browser yet. */
  readonly page: Observation | null;
  /** The page as it looks: a JPEG in base64. */
  readonly picture?: string | null;
  /** What the rounds of the turn before this one have come to; null in its first. */
  readonly soFar?: SoFar | null;
  /** Ends with the turn's deadline, or when the turn is given up. */
  readonly signal: AbortSignal;
}

export interface SoFar {
  readonly results: readonly IntentResult[];
  /** The page of the look before. */
  readonly before: Observation | null;
  /** What the model left for itself in the round before. */
  readonly note: string | null;
  /** What happened in that round beside its intents: dialogs, downloads, another tab. */
  readonly news: readonly string[];
}

/** Tokens as the provider counted them, over all tries; null where it gave none. */
export type ModelUsage = Pick<TurnUsage, 'model' | 'inputTokens' | 'outputTokens' | 'costCents'>;

/** A result that fits its form, or what is wrong with what was given twice. */
export type FilledIn = { readonly result: unknown } | { readonly fault: string };

export interface ModelDecomposer {
  /** A valid plan: an answer that is none is asked for once more, and is a refusal then. */
  decompose(call: ModelCall): Promise<{ readonly plan: Plan; readonly usage: ModelUsage }>;
  /** Answers the message from the page as it is once the plan has been carried out. */
  readBack(call: ModelCall): Promise<{ readonly answer: string; readonly usage: ModelUsage }>;
  /** Fills in a form from the page as it is and what was done: what does not fit is asked for once more. */
  fillIn(call: ModelCall, form: ResultForm): Promise<FilledIn & { readonly usage: ModelUsage }>;
}

/** The provider does not accept the key. */
export class ProviderKeyRefused extends Error {
  override readonly name = 'ProviderKeyRefused';
}

/** The provider is down, overloaded, or too slow. `usage`: what was used all the same; null when nothing is known of any. */
export class ProviderUnavailable extends Error {
  override readonly name: string = 'ProviderUnavailable';
  readonly retryAfterSeconds: number;
  readonly usage: ModelUsage | null;

  constructor(reason: string, retryAfterSeconds: number, usage: ModelUsage | null = null) {
    super(reason);
    this.retryAfterSeconds = retryAfterSeconds;
    this.usage = usage;
  }
}

/** The provider does not take a request of this form, such as one with a picture. Nothing was used. */
export class RequestNotTaken extends ProviderUnavailable {
  override readonly name = 'RequestNotTaken';
}

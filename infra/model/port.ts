import type { TurnUsage } from '../../contracts/events/agent-session.ts';
import type { Observation } from '../../contracts/resources/observation.ts';
import type { Intent, IntentResult, Plan, TranscriptEntry } from '../../contracts/resources/agent-turn.ts';
import type { ResultForm } from './result-form.ts';

/**
 * The grammar's result for a message: all of its intents, possibly more than a plan allows, or those before the part that it
 * could not parse.
 */
export type Understood =
  | { readonly covers: true; readonly intents: readonly Intent[] }
  | { readonly covers: false; readonly understood: readonly string[]; readonly rest: string };

export type Grammar = (message: string) => Understood;

/** Maximum entries of the conversation in a call. */
export const longestTranscript = 20;

export interface ModelCall {
  readonly model: string;
  readonly apiKey: string;
  readonly message: string;
  /** Earlier entries, oldest first; at most the last `longestTranscript`. */
  readonly transcript: readonly TranscriptEntry[];
  /** Names of the message's variables; their values are not available here. */
  readonly variables?: readonly string[];
  /** Null without a browser. */
  readonly page: Observation | null;
  /** A picture of the page: a JPEG in base64. */
  readonly picture?: string | null;
  /** What the service says about the browser; null if nothing. */
  readonly notice?: string | null;
  /** The turn's previous rounds; null in the first one. */
  readonly soFar?: SoFar | null;
  /** Aborted at the turn's deadline, or when the turn is given up. */
  readonly signal: AbortSignal;
}

export interface SoFar {
  readonly results: readonly IntentResult[];
  /** The previous observation of the page. */
  readonly before: Observation | null;
  /** The model's note of the previous round. */
  readonly note: string | null;
  /** Events in that round beside its intents: dialogs, downloads, another tab. */
  readonly news: readonly string[];
}

/** Tokens as counted by the provider, over all tries; null if not reported. */
export type ModelUsage = Pick<TurnUsage, 'model' | 'inputTokens' | 'outputTokens' | 'costCents'>;

/** A valid result, or the errors after two tries. */
export type FilledIn = { readonly result: unknown } | { readonly fault: string };

export interface ModelDecomposer {
  /** A valid plan; an invalid answer is retried once, and then becomes a refusal. */
  decompose(call: ModelCall): Promise<{ readonly plan: Plan; readonly usage: ModelUsage }>;
  /** Answers the message from the page after the plan. */
  readBack(call: ModelCall): Promise<{ readonly answer: string; readonly usage: ModelUsage }>;
  /** Fills in a form from the page and the completed actions; an invalid result is retried once. */
  fillIn(call: ModelCall, form: ResultForm): Promise<FilledIn & { readonly usage: ModelUsage }>;
}

/** The provider does not serve the key, because it is not valid or has no credit. */
export class ProviderKeyRefused extends Error {
  override readonly name = 'ProviderKeyRefused';
  readonly lacks: 'validity' | 'credit';

  constructor(reason: string, lacks: ProviderKeyRefused['lacks'] = 'validity') {
    super(reason);
    this.lacks = lacks;
  }
}

/** The provider is down, overloaded, or too slow. `usage`: tokens used nevertheless; null if unknown. */
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

/** The provider does not support this form of request, such as one with a picture. Nothing was used. */
export class RequestNotTaken extends ProviderUnavailable {
  override readonly name = 'RequestNotTaken';
}

/** The provider does not have the model, or not for this key. */
export class ModelNotServed extends ProviderUnavailable {
  override readonly name = 'ModelNotServed';
}

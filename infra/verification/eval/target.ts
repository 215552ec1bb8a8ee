import type { TestModelProvider } from '../testbed/model-provider.ts';
import type { Ends, Turn } from './task.ts';

/** The public API with the caller's credentials. */
export interface EvalTarget {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Key of the model provider, if the mode uses one. */
  readonly modelKey: string | undefined;
  readonly model: string | undefined;
  /** The provider that answers in the modes `scripted` and `policy`. */
  readonly provider: TestModelProvider | undefined;
}

export interface Figures {
  /** Number of looks at the page before decisions, over all messages; in mode `tools`, of calls. */
  readonly rounds: number;
  /** Number of executed intents. */
  readonly steps: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Null if no answer reported a cost. */
  readonly costCents: number | null;
  /** Total time of messages or calls, from request to answer. */
  readonly seconds: number;
}

/** A running task, with its own browser and site. */
export interface Run {
  readonly figures: Figures;
  open(): Promise<void>;
  /** @throws Unmet */
  say(turn: Turn): Promise<void>;
  /** @throws Unmet */
  check(ends: Ends): Promise<void>;
  close(): Promise<void>;
}

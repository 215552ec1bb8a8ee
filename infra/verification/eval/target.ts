import type { TestModelProvider } from '../testbed/model-provider.ts';
import type { Ends, Turn } from './task.ts';

/** The public API, and who asks it. */
export interface EvalTarget {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The key of the model provider, where a model is asked. */
  readonly modelKey: string | undefined;
  readonly model: string | undefined;
  /** What answers as a model in the modes `scripted` and `policy`. */
  readonly provider: TestModelProvider | undefined;
}

export interface Figures {
  /** Looks at the page before a decision, over all messages; of the tools, their calls. */
  readonly rounds: number;
  /** Intents that were carried out. */
  readonly steps: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Null where no answer told one. */
  readonly costCents: number | null;
  /** Of the messages or calls, from each request to its answer. */
  readonly seconds: number;
}

/** A task under way: in a browser of its own, on a site of its own. */
export interface Run {
  readonly figures: Figures;
  open(): Promise<void>;
  /** @throws Unmet */
  say(turn: Turn): Promise<void>;
  /** @throws Unmet */
  check(ends: Ends): Promise<void>;
  close(): Promise<void>;
}

import { computed, signal } from '@preact/signals';
import {
  AbortError,
  agents,
  type AgentMessage,
  type IndexedEntry,
  type MessageAnswer,
} from '../../../../contracts/client/index.ts';
import { connection } from '../../service.ts';

const service = agents(connection);

/** The outcome of a message that this page sent. */
export interface Outcome {
  readonly answer: MessageAnswer;
  /** Number of transcript entries when it arrived; the last one is its own. */
  readonly length: number;
}

/** The live transcript of an agent session, and the outcomes of this page's messages. */
export class Conversation {
  readonly entries = signal<readonly IndexedEntry[]>([]);
  readonly outcomes = signal<readonly Outcome[]>([]);
  /** True while a message of this page or its turn is in progress. */
  readonly isWorking = signal(false);
  /** Why the transcript stream has ended. */
  readonly broken = signal<{ readonly error: unknown } | undefined>(undefined);
  readonly failure = signal<{ readonly error: unknown } | undefined>(undefined);
  /** True once the agent has begun the turn of the message: only then can it be stopped. */
  readonly isUnderWay = computed(
    () => this.isWorking.value && (this.broken.value !== undefined || this.#last() !== this.#lastBefore),
  );
  /**
   * The answer to this page's last message; undefined once something was said after it, or while that is unknown: approvals
   * are for the last answer of the transcript.
   */
  readonly lastAnswer = computed(() => {
    const outcome = this.outcomes.value.at(-1);
    if (outcome === undefined || this.broken.value !== undefined) return undefined;
    return (this.#last() ?? 0) < outcome.length ? outcome.answer : undefined;
  });
  /** Index of the last entry before the message. */
  #lastBefore: number | undefined;
  readonly #id: string;
  #ending = new AbortController();

  constructor(id: string) {
    this.#id = id;
  }

  /** Follows the transcript until `rest` or the end of the session. */
  follow(): void {
    this.rest();
    this.#ending = new AbortController();
    void this.#read(this.#ending.signal);
  }

  /** Stops following until `follow`. */
  rest(): void {
    this.#ending.abort();
  }

  readonly #last = (): number | undefined => this.entries.value.at(-1)?.index;

  async #read(ending: AbortSignal): Promise<void> {
    this.broken.value = undefined;
    const after = this.#last();
    try {
      for await (const entry of service.transcript(this.#id, { after, signal: ending }))
        if (!this.entries.value.some(({ index }) => index === entry.index))
          this.entries.value = [...this.entries.value, entry];
    } catch (error) {
      if (!(error instanceof AbortError)) this.broken.value = { error };
    }
  }

  /** Sends a message and waits for the end of its turn. Resolves to false if it was refused; `failure` has the reason. */
  async send(text: string, approvals?: AgentMessage['approvals']): Promise<boolean> {
    if (this.isWorking.value) return false;
    this.#lastBefore = this.#last();
    this.isWorking.value = true;
    this.failure.value = undefined;
    try {
      const body = { user_message: text, ...(approvals && { approvals }) };
      const answer = await service.message(this.#id, body);
      this.outcomes.value = [...this.outcomes.value, { answer, length: answer.session.transcript_length }];
      return true;
    } catch (error) {
      this.failure.value = { error };
      return false;
    } finally {
      this.isWorking.value = false;
    }
  }
}

export const usageOf = (answer: MessageAnswer) => ('usage' in answer ? answer.usage : undefined);

/** Indices of the answer's intents that wait for an approval. */
export function waiting(answer: MessageAnswer): readonly number[] {
  if (answer.kind === 'clarify') return (answer.intents ?? []).map((_, index) => index);
  if (answer.kind !== 'plan-executed' || answer.clarifying_question === undefined) return [];
  return answer.intents.map((_, index) => index).slice(answer.results.length);
}

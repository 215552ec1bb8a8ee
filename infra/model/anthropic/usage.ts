import type { Message, MessageCreateParamsNonStreaming, Usage } from '@anthropic-ai/sdk/resources/messages';
import type { ModelCall, ModelUsage } from '../port.ts';

/** Usage of the calls of one turn so far. */
export class UsageTally {
  #model: string | null = null;
  #input: number | null = null;
  #output: number | null = null;

  add(model: string, usage: UsageCounts): void {
    this.#model = model.slice(0, 200);
    const cached = (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
    this.#input = (this.#input ?? 0) + usage.input_tokens + cached;
    this.#output = (this.#output ?? 0) + usage.output_tokens;
  }

  /** Providers' answers contain no prices, so the cost is unknown. */
  get total(): ModelUsage {
    return { model: this.#model, inputTokens: this.#input, outputTokens: this.#output, costCents: null };
  }

  /** Null without any usage. */
  get known(): ModelUsage | null {
    return this.#input === null ? null : this.total;
  }
}

type UsageCounts = Pick<Usage, 'input_tokens' | 'output_tokens'> &
  Partial<Pick<Usage, 'cache_creation_input_tokens' | 'cache_read_input_tokens'>>;

/** A call of the Messages API; its usage is added to the turn's tally. */
export type AskMessages = (
  call: Pick<ModelCall, 'apiKey' | 'signal'>,
  params: MessageCreateParamsNonStreaming,
  tally: UsageTally,
) => Promise<Message>;

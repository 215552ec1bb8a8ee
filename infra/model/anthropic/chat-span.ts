import type { Message, MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/messages';
import { inSpan, type Attributes } from '../../tracing/index.ts';
import type { AskMessages } from './usage.ts';

/** Traces each call by OpenTelemetry's conventions for generative models: the model and the number of tokens, no texts. */
export function asChat(ask: AskMessages, baseUrl: string): AskMessages {
  const { hostname } = new URL(baseUrl);
  return (call, params, tally) =>
    inSpan(
      { name: `chat ${params.model}`, kind: 'client', attributes: asked(params, hostname) },
      async (span) => {
        const message = await ask(call, params, tally);
        span.set(used(message));
        return message;
      },
    );
}

const asked = ({ model, max_tokens }: MessageCreateParamsNonStreaming, hostname: string): Attributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'anthropic',
  'gen_ai.request.model': model,
  'gen_ai.request.max_tokens': max_tokens,
  'server.address': hostname,
});

/** Tokens read from or written to a cache count as input. */
const used = ({ usage }: Message): Attributes => ({
  'gen_ai.usage.input_tokens':
    usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0),
  'gen_ai.usage.output_tokens': usage.output_tokens,
});

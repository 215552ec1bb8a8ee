import type { Message, MessageParam, Tool, ToolUseBlock } from '@anthropic-ai/sdk/resources/messages';
import type { FilledIn, ModelCall, ModelUsage } from '../port.ts';
import type { ResultForm } from '../result-form.ts';
import { corrected } from './corrected.ts';
import { inputOf, resultSystem } from './prompt.ts';
import { UsageTally, type AskMessages } from './usage.ts';

/** Maximum tokens of a result. */
const longestResultTokens = 8192;

const resultToolName = 'result';

/** Has the model fill in a form, with one retry for an invalid result. */
export async function fillIn(
  ask: AskMessages,
  call: ModelCall,
  { schema, faultOf }: ResultForm,
): Promise<FilledIn & { readonly usage: ModelUsage }> {
  const tally = new UsageTally();
  const tool = resultTool(schema);
  const filling = (messages: MessageParam[]): Promise<Message> =>
    ask(
      call,
      {
        model: call.model,
        max_tokens: longestResultTokens,
        system: resultSystem,
        tools: [tool],
        tool_choice: { type: 'tool', name: resultToolName, disable_parallel_tool_use: true },
        messages,
      },
      tally,
    );
  const messages = [inputOf(call)];
  const first = await filling(messages);
  const read = resultOf(first, faultOf);
  if (!('fault' in read) || first.stop_reason === 'refusal') return { ...read, usage: tally.total };
  const second = await filling([...messages, ...corrected(first, read.fault, resultToolName)]);
  return { ...resultOf(second, faultOf), usage: tally.total };
}

function resultOf({ content, stop_reason: stopReason }: Message, faultOf: ResultForm['faultOf']): FilledIn {
  if (stopReason === 'refusal') return { fault: 'The model declined to fill in the form.' };
  if (stopReason === 'max_tokens')
    return { fault: 'The answer was cut off, for it was too long. Give a shorter one.' };
  const [use] = content.filter(
    (block): block is ToolUseBlock => block.type === 'tool_use' && block.name === resultToolName,
  );
  const { result } = (use?.input ?? {}) as { readonly result?: unknown };
  if (result === undefined) return { fault: `The answer has no \`result\`.` };
  const fault = faultOf(result);
  return fault === null ? { result } : { fault };
}

/** The form as a tool, with references relative to the tool's schema, which providers require to be an object. */
const resultTool = (schema: ResultForm['schema']): Tool => ({
  name: resultToolName,
  description: 'Fills in the form that the user wants the result in.',
  input_schema: {
    type: 'object',
    properties: { result: rebased(schema) },
    required: ['result'],
    additionalProperties: false,
  },
});

const rebased = (schema: unknown): unknown =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      if (typeof value !== 'string') return value;
      return (key === '$ref' ? `#/properties/result${value.slice(1)}` : value).toWellFormed();
    }),
  );

import type {
  Message,
  MessageParam,
  ToolUseBlock,
  ToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/messages';

/** Maximum length of an invalid answer that is sent back to the model, in characters. */
const longestShown = 20_000;

/** The follow-up to an invalid answer: the answer, and its errors. */
export function corrected({ content }: Message, fault: string, tool: string): MessageParam[] {
  const text = `${fault} Call \`${tool}\` again.`;
  const uses = content.filter((block) => block.type === 'tool_use').filter(hasObjectInput);
  if (uses.length === 0 || JSON.stringify(uses).length > longestShown)
    return [{ role: 'user', content: text }];
  const shown = uses.map(({ id, name, input }): ToolUseBlockParam => ({ type: 'tool_use', id, name, input }));
  const results = uses.map(
    ({ id }) => ({ type: 'tool_result', tool_use_id: id, is_error: true, content: text }) as const,
  );
  return [
    { role: 'assistant', content: shown },
    { role: 'user', content: results },
  ];
}

/** Anything else would be invalid in the next request. */
const hasObjectInput = ({ input, id, name }: ToolUseBlock): boolean =>
  typeof input === 'object' && input !== null && !Array.isArray(input) && Boolean(id && name);

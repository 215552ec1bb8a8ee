import { inputRequired, type CallToolResult, type InputRequiredResult } from '@modelcontextprotocol/server';
import { AbortError } from '../../contracts/client/index.ts';
import { ToolError, describeFailure } from './advice.ts';
import { openBrowsers, openLine } from './open-list.ts';
import { beginning, maxAnswerTokens, tokensOf } from './tokens.ts';
import type { Answer, Asking, Tool, ToolContext } from './tool.ts';
import { untrusted } from './words.ts';

/** Name under which a person is asked, in all requests of one call. */
export const question = 'person';

/** Runs a tool: returns its answer with the open browsers, or its failure with the next step. */
export async function answerOf(
  tool: Tool,
  context: ToolContext,
  args: unknown,
): Promise<CallToolResult | InputRequiredResult> {
  // The server has validated the arguments against the tool's schema.
  const answer: Answer | Asking = await tool
    .run(context, args as never)
    .catch((error: unknown) => failed(error, context.signal));
  if ('ask' in answer)
    return inputRequired({ inputRequests: { [question]: inputRequired.elicitUrl(answer.ask) } });
  const open = await openNow(context);
  return within(answer, open);
}

function failed(error: unknown, signal: AbortSignal): Answer {
  if (error instanceof AbortError || signal.aborted) throw error;
  if (error instanceof ToolError) return { lines: [error.message], structured: {}, isError: true };
  // The service's description of a failure may contain words of a page.
  return {
    lines: ['It failed.'],
    words: [describeFailure(error)],
    source: 'the service',
    structured: {},
    isError: true,
  };
}

/** The answer is returned even if the open browsers cannot be listed. */
const openNow = ({ service, signal }: ToolContext): Promise<string> =>
  openBrowsers(service, signal).then(openLine, (error: unknown) => {
    if (signal.aborted) throw error;
    return '';
  });

function within(
  { lines, words = [], source, more = [], structured, attachments = [], isError }: Answer,
  open: string,
) {
  const fence = untrusted(words, source);
  const text = [...lines, ...fence, ...more, open].filter((line) => line !== '').join('\n');
  const left = maxAnswerTokens - tokensOf(JSON.stringify(structured)) - 50;
  // The last resort: tools limit their answers themselves.
  const shown =
    tokensOf(text) <= left ? text : `${beginning(text, left)}\n[cut: ask for less]\n${fence.at(-1) ?? ''}`;
  return {
    content: [{ type: 'text' as const, text: shown }, ...attachments],
    structuredContent: structured,
    ...(isError && { isError }),
  };
}

import { inputRequired, type CallToolResult, type InputRequiredResult } from '@modelcontextprotocol/server';
import { AbortError } from '../../contracts/client/index.ts';
import { ToolError, describeFailure } from './advice.ts';
import { openBrowsers, openLine } from './open-list.ts';
import { beginning, mostOfAnswer, tokensOf } from './tokens.ts';
import type { Answer, Asking, Tool, ToolContext } from './tool.ts';
import { untrusted } from './words.ts';

/** The name of the question to a person, in the rounds of a call. */
export const question = 'person';

/** Runs a tool: its answer, with the browsers that are open, or what is to be tried where it fails. */
export async function answerOf(
  tool: Tool,
  context: ToolContext,
  args: unknown,
): Promise<CallToolResult | InputRequiredResult> {
  // The arguments are as the tool's schema has them: the server has checked that.
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
  // What the service says of a failure may have words of a page.
  return {
    lines: ['It failed.'],
    words: [describeFailure(error)],
    whose: 'the service',
    structured: {},
    isError: true,
  };
}

/** An answer that has been found is given, also where what is open cannot be asked for. */
const openNow = ({ service, signal }: ToolContext): Promise<string> =>
  openBrowsers(service, signal).then(openLine, (error: unknown) => {
    if (signal.aborted) throw error;
    return '';
  });

function within(
  { lines, words = [], whose, more = [], structured, beside = [], isError }: Answer,
  open: string,
) {
  const fence = untrusted(words, whose);
  const text = [...lines, ...fence, ...more, open].filter((line) => line !== '').join('\n');
  const left = mostOfAnswer - tokensOf(JSON.stringify(structured)) - 50;
  // Tools keep within it by themselves: this is for what nobody has thought of.
  const shown =
    tokensOf(text) <= left ? text : `${beginning(text, left)}\n[cut: ask for less]\n${fence.at(-1) ?? ''}`;
  return {
    content: [{ type: 'text' as const, text: shown }, ...beside],
    structuredContent: structured,
    ...(isError && { isError }),
  };
}

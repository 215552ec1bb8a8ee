import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';

/** `asked`: a person is asked before the answer; `cancelled`: the client has disconnected. */
export type CallOutcome = 'done' | 'failed' | 'asked' | 'cancelled';

/** Called once per tool call with valid arguments, with its duration in milliseconds. */
export type OnCalled = (call: { readonly tool: string; readonly outcome: CallOutcome }, ms: number) => void;

type Answered = CallToolResult | InputRequiredResult;

/** Runs a call and reports its outcome and duration. */
export async function reported(
  onCalled: OnCalled | undefined,
  tool: string,
  work: () => Promise<Answered>,
): Promise<Answered> {
  const startedAt = performance.now();
  let outcome: CallOutcome = 'cancelled';
  try {
    const answered = await work();
    outcome = outcomeOf(answered);
    return answered;
  } finally {
    onCalled?.({ tool, outcome }, performance.now() - startedAt);
  }
}

const outcomeOf = (answered: Answered): CallOutcome => {
  if ('inputRequests' in answered) return 'asked';
  return answered.isError === true ? 'failed' : 'done';
};

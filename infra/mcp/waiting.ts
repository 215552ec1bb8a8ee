import { AbortError, type TranscriptEntry } from '../../contracts/client/index.ts';
import { ToolError } from './advice.ts';
import { maxWaitMs } from './limits.ts';
import type { ToolContext } from './tool.ts';

type Waiting = Pick<ToolContext, 'service' | 'signal'>;

/**
 * The result of `work`, or undefined after the maximum wait of a call. `work` gets a signal that is aborted then, and when the
 * client disconnects; the awaited work itself continues.
 */
export async function withinMaxWait<T>(
  { signal }: Pick<ToolContext, 'signal'>,
  work: (signal: AbortSignal) => PromiseLike<T>,
  limitMs: number = maxWaitMs,
): Promise<T | undefined> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await work(AbortSignal.any([signal, limit]));
  } catch (error) {
    if (error instanceof AbortError && limit.aborted && !signal.aborted) return undefined;
    throw error;
  }
}

/** An agent session's turn, by its message's index in the transcript, so that anyone can ask for its outcome. */
export const turnOf = (agent: string, index: number): string => `${agent}.${index}`;

export function turnIn(text: string): { readonly agent: string; readonly index: number } | undefined {
  const [, agent, index] = /^(agt_[0-9a-f-]{36})\.(\d{1,9})$/.exec(text) ?? [];
  return agent === undefined ? undefined : { agent, index: Number(index) };
}

/** The agent's entry for the message at an index, once it exists. Throws `ToolError` if the agent session has ended without one. */
export async function answerBehind(
  { service }: Waiting,
  { agent, index }: { readonly agent: string; readonly index: number },
  signal: AbortSignal,
): Promise<TranscriptEntry> {
  const after = index === 0 ? {} : { after: index - 1 };
  for await (const { entry } of service.agents.transcript(agent, { ...after, signal }))
    if (entry.role === 'agent') return entry;
  throw new ToolError('That message was not taken, or the agent session ended before its answer.');
}

import { Conflict, type AgentHandle } from '../../contracts/client/index.ts';
import { ToolError } from './advice.ts';
import { idleSeconds } from './limits.ts';
import type { ToolContext } from './tool.ts';

/**
 * The agent session of a browser: for going back, files, people and the service's own agent. Created on first use, under an
 * idempotency key derived from the browser, so that every process gets the same one. While another client's agent session holds
 * the browser, that one is used. A closed one is replaced.
 */
export async function companionOf(
  { service, signal }: Pick<ToolContext, 'service' | 'signal'>,
  session: string,
): Promise<AgentHandle> {
  const body = {
    mode: 'manual',
    service_session_id: session,
    // The links of `hand_over` end with it.
    idle_timeout_seconds: idleSeconds.kept,
  } as const;
  // A key is bound to its body.
  const firstKey = `mcp-${session}-${idleSeconds.kept}`;
  let key = firstKey;
  for (let made = 0; made < maxReplacements; made += 1) {
    const id = await madeOrHolder(service.agents.create(body, { idempotencyKey: key, signal }));
    const agent = await service.agents.get(id, { signal });
    if (agent.status !== 'closed') return agent;
    // A key keeps its first answer, also the refusal because of an agent session that is closed by now.
    key = `${firstKey}-${id}`;
  }
  throw new ToolError(`${session} has had too many agent sessions.`, 'Open another browser.');
}

/** Maximum number of replacements. A browser in use keeps its agent session open, so there are few. */
const maxReplacements = 20;

/** The id of the agent session that was made or, if another one holds the browser, of that one. */
async function madeOrHolder(making: PromiseLike<{ readonly id: string }>): Promise<string> {
  try {
    return (await making).id;
  } catch (error) {
    if (error instanceof Conflict && error.agentSessionId !== undefined) return error.agentSessionId;
    throw error;
  }
}

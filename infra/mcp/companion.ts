import { Conflict, type AgentHandle } from '../../contracts/client/index.ts';
import { ToolError } from './advice.ts';
import { idleSeconds } from './limits.ts';
import type { ToolContext } from './tool.ts';

/**
 * The agent session of a browser: for going back, files, people and the service's own agent. Created on first use, under an
 * idempotency key derived from the browser, so that every process gets the same one. A closed one is replaced.
 */
export async function companionOf(
  { service, signal }: Pick<ToolContext, 'service' | 'signal'>,
  session: string,
): Promise<AgentHandle> {
  const body = {
    mode: 'manual',
    service_session_id: session,
    idle_timeout_seconds: idleSeconds.usual,
  } as const;
  let key = `mcp-${session}`;
  try {
    for (let made = 0; made < maxReplacements; made += 1) {
      const { id } = await service.agents.create(body, { idempotencyKey: key, signal });
      const agent = await service.agents.get(id, { signal });
      if (agent.status !== 'closed') return agent;
      key = `mcp-${id}`;
    }
  } catch (error) {
    // Another client's agent session holds the browser, and is used instead.
    const holder = error instanceof Conflict ? await holderOf({ service, signal }, session) : undefined;
    if (holder !== undefined) return holder;
    throw error;
  }
  throw new ToolError(`${session} has had too many agent sessions.`, 'Open another browser.');
}

/** Maximum number of replacements. A browser in use keeps its agent session open, so there are few. */
const maxReplacements = 20;

async function holderOf(
  { service, signal }: Pick<ToolContext, 'service' | 'signal'>,
  session: string,
): Promise<AgentHandle | undefined> {
  for await (const { data } of service.agents.list({ limit: 100, signal }).byPage())
    return data.find(({ service_session_id: has, status }) => has === session && status !== 'closed');
  return undefined;
}

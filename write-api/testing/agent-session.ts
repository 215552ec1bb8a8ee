import { randomUUID } from 'node:crypto';
import { toId, uuidOf, type AccountId, type AgentSessionId, type SessionId } from '../../contracts/ids.ts';
import { agentSession } from '../../domain/agent-session/agent-session.ts';
import type { AgentSessionCommand } from '../../domain/agent-session/commands.ts';
import type { WriteSide } from '../testing.ts';

type Staff = Pick<WriteSide['staff'], 'runner' | 'context'>;

/** Decides on the stream of an agent session, whoever would have asked for it. */
export const decideOn = ({ runner, context }: Staff, id: AgentSessionId, command: AgentSessionCommand) =>
  runner.run(agentSession, uuidOf(id), command, context());

/** An agent session as a request of its account would have made it. */
export async function openAgentSession(
  staff: Staff,
  accountId: AccountId,
  attached: SessionId | null = null,
): Promise<AgentSessionId> {
  const agentSessionId = toId('agentSession', randomUUID());
  await decideOn(staff, agentSessionId, {
    ...{ type: 'CreateAgentSession', agentSessionId, accountId, attached, createdBy: accountId },
    ...{ mode: 'ai', model: 'a-model', tokenBudget: 1000, profileId: null, proxyId: null },
    ...{ sealedStart: null, opensInitialUrl: false, at: new Date().toISOString() },
  });
  return agentSessionId;
}

import type { SessionId } from '../../contracts/ids.ts';
import { refuse, type Refusal } from '../../contracts/problems.ts';
import { exists, type AgentSession, type ExistingAgentSession } from './state.ts';

/** Returns the session; refuses `not-found`. */
export function present(state: AgentSession): ExistingAgentSession {
  if (exists(state)) return state;
  throw refuse('not-found', 'There is no such agent session.');
}

/** Returns the session; refuses `conflict` unless it is active. */
export function active(state: AgentSession): ExistingAgentSession {
  const session = present(state);
  const { status } = session;
  if (status !== 'active')
    throw refuse('conflict', `The agent session is ${status}.`, { agent_session_status: status });
  return session;
}

/** The refusal of commands that need an attached driver session which has ended: it is not replaced. */
export const driverSessionEnded = (sessionId: SessionId): Refusal =>
  refuse('conflict', `The driver session ${sessionId} has ended. Create another agent session.`, {
    service_session_id: sessionId,
  });

export const sessionFields = (
  { agentSessionId, accountId }: Pick<ExistingAgentSession, 'agentSessionId' | 'accountId'>,
  at: string,
) => ({ agentSessionId, accountId, at });

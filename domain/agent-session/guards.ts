import type { SessionId } from '../../contracts/ids.ts';
import { refuse, type Refusal } from '../../contracts/problems.ts';
import { exists, type AgentSession, type ExistingAgentSession } from './state.ts';

/** The session, where there is one under the id. */
export function present(state: AgentSession): ExistingAgentSession {
  if (exists(state)) return state;
  throw refuse('not-found', 'There is no such agent session.');
}

/** The session, where it may be worked with. */
export function active(state: AgentSession): ExistingAgentSession {
  const session = present(state);
  if (session.status !== 'active') throw refuse('conflict', `The agent session is ${session.status}.`);
  return session;
}

/** Refuses whatever needs a driver session that was attached and has ended: nothing takes its place. */
export const driverSessionEnded = (sessionId: SessionId): Refusal =>
  refuse('conflict', `The driver session ${sessionId} has ended. Create another agent session.`, {
    service_session_id: sessionId,
  });

export const of = (
  { agentSessionId, accountId }: Pick<ExistingAgentSession, 'agentSessionId' | 'accountId'>,
  at: string,
) => ({ agentSessionId, accountId, at });

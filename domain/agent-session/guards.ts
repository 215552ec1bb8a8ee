import { refuse } from '../../contracts/problems.ts';
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

export const of = (
  { agentSessionId, accountId }: Pick<ExistingAgentSession, 'agentSessionId' | 'accountId'>,
  at: string,
) => ({
  agentSessionId,
  accountId,
  at,
});

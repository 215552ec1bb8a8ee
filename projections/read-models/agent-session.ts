import { agentSessionEvents } from '../../contracts/events/agent-session.ts';
import type { AccountId, AgentSessionId, SessionId } from '../../contracts/ids.ts';
import { agentSession } from '../../domain/agent-session/agent-session.ts';
import { exists, type AgentSession, type ExistingAgentSession } from '../../domain/agent-session/state.ts';
import { readModel } from '../engine/read-model.ts';
import { stateRows } from '../engine/state-rows.ts';
import { column, jsonOf, optionalTextOf, textOf } from '../engine/table.ts';

function rowOf(state: AgentSession) {
  if (!exists(state)) throw new Error('An event changes an agent session that is not there');
  return {
    id: state.agentSessionId,
    account_id: state.accountId,
    status: state.status,
    session_id: state.browser?.sessionId ?? null,
    state,
    created_at: state.createdAt,
  };
}

/** Every agent session, closed ones included. Its transcript is only in its stream. */
export const agentSessions = readModel('agent_sessions', {
  of: agentSessionEvents,
  id: 'agentSession',
  columns: {
    id: textOf<AgentSessionId>(),
    account_id: textOf<AccountId>(),
    status: textOf<ExistingAgentSession['status']>(),
    /** The driver session that it holds, or held last. */
    session_id: optionalTextOf<SessionId>(),
    state: jsonOf<ExistingAgentSession>(),
    created_at: column.time,
  },
  indexes: ['(account_id, created_at desc, id desc)', "(session_id) where status <> 'closed'"],
  ...stateRows(agentSession, ['AgentSessionWithdrawn'], rowOf),
});

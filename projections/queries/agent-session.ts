import { sql } from 'kysely';
import type { AgentSessionId } from '../../contracts/ids.ts';
import type { ExistingAgentSession } from '../../domain/agent-session/state.ts';
import { ownById, ownList } from './lists.ts';
import { db } from './tables.ts';

export interface AgentSessionRow {
  readonly id: AgentSessionId;
  readonly created_at: string;
  readonly state: ExistingAgentSession;
}

const agentSessions = db
  .selectFrom('read_model.agent_sessions')
  .select(['id', 'created_at', sql<ExistingAgentSession>`state`.as('state')]);

/** The account's agent sessions; one of them. */
export const agentSessionList = ownList('list-agent-sessions', agentSessions);
export const agentSessionById = ownById('get-agent-session', agentSessions);

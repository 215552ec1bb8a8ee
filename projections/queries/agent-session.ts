import { sql } from 'kysely';
import type { AccountId, AgentSessionId } from '../../contracts/ids.ts';
import type { ExistingAgentSession } from '../../domain/agent-session/state.ts';
import { ownById, ownList } from './lists.ts';
import { db, rowsOf, type Queryable } from './tables.ts';

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

interface AgentSessionFilter {
  readonly account?: AccountId;
  readonly status?: ExistingAgentSession['status'];
  readonly limit: number;
}

/** The newest first, for an operator. */
export async function agentSessionsFor(
  pool: Queryable,
  filter: AgentSessionFilter,
): Promise<readonly ExistingAgentSession[]> {
  const rows = await rowsOf<Pick<AgentSessionRow, 'state'>>(
    pool,
    `select state from read_model.agent_sessions
     where ($1::text is null or account_id = $1) and ($2::text is null or status = $2)
     order by created_at desc, id desc limit $3`,
    [filter.account ?? null, filter.status ?? null, filter.limit],
  );
  return rows.map(({ state }) => state);
}

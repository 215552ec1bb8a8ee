import { sql } from 'kysely';
import type { AccountId, AgentSessionId, NodeId } from '../../contracts/ids.ts';
import type { Browser } from '../../domain/agent-session/browser.ts';
import type { ExistingAgentSession } from '../../domain/agent-session/state.ts';
import { agentSessions as agentSessionsModel } from '../read-models/agent-session.ts';
import { ownById, ownList } from './lists.ts';
import { newest } from './newest.ts';
import { ofErased } from './of-erased.ts';
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

/** Open agent sessions of an erased account; undefined until the read models include its erasure. */
export async function agentSessionsOfErased(
  pool: Queryable,
  accountId: AccountId,
): Promise<readonly AgentSessionId[] | undefined> {
  const rows = await ofErased<{ readonly id: AgentSessionId }>(pool, accountId, {
    models: ['agent_sessions'],
    statement: `select id from read_model.agent_sessions where account_id = $1 and status <> 'closed'`,
  });
  return rows?.map(({ id }) => id);
}

/** Open agent sessions with a driver session on the node. */
export const agentSessionsOn = (
  pool: Queryable,
  node: NodeId,
): Promise<
  readonly {
    readonly agentSessionId: AgentSessionId;
    readonly accountId: AccountId;
    readonly browser: Browser;
  }[]
> =>
  rowsOf(
    pool,
    // Both conditions on the status are literal, for the partial indexes.
    `select agent.id as "agentSessionId", agent.account_id as "accountId", agent.state -> 'browser' as browser
     from read_model.sessions as driven
     join read_model.agent_sessions as agent on agent.session_id = driven.id and agent.status <> 'closed'
     where driven.node_id = $1 and driven.status in ('creating', 'ready', 'busy')`,
    [node],
  );

export interface AgentSessionFilter {
  readonly account?: AccountId;
  readonly status?: ExistingAgentSession['status'];
  readonly limit: number;
}

/** Newest first, for an operator. */
export async function agentSessionsFor(
  pool: Queryable,
  { account, status, limit }: AgentSessionFilter,
): Promise<readonly ExistingAgentSession[]> {
  const where = { account_id: account, status };
  const rows = await newest(pool, agentSessionsModel, { columns: ['state'], where, limit });
  return rows.map(({ state }) => state);
}

import type pg from 'pg';
import { withoutTimeouts } from '../../../postgres/index.ts';
import { isoTimes } from '../../../postgres/iso-times.ts';
import type { Evidence, Row, Sample } from './types.ts';

type Queryable = Pick<pg.Pool, 'query'>;

const queries: Readonly<Record<keyof Evidence['tables'], string>> = {
  sessions: 'select id, status from read_model.sessions',
  agentSessions:
    "select id, greatest(0, (state->>'tokenBudget')::int - (state->>'tokensUsed')::int) as token_budget_remaining from read_model.agent_sessions",
  auditLog: 'select * from read_model.audit_log',
  timers: "select id, due_at < now() - interval '2 s' as overdue from read_model.timers",
  parkedEvents: 'select projection, row_key, event_type, reason from runtime.parked',
  parkedReactions: 'select process, event_type, reason from runtime.parked_reactions',
};

/** Without time limits: after an hour the tables are large, and machines are slow. */
export const readTables = (pool: pg.Pool): Promise<Evidence['tables']> =>
  withoutTimeouts(pool, async (client) => {
    const read = async (name: keyof Evidence['tables']) =>
      (await client.query<Row>({ text: queries[name], types: isoTimes })).rows;
    return {
      sessions: await read('sessions'),
      agentSessions: await read('agentSessions'),
      auditLog: await read('auditLog'),
      timers: await read('timers'),
      parkedEvents: await read('parkedEvents'),
      parkedReactions: await read('parkedReactions'),
    };
  });

/** One statement, so that everything is of the same instant. */
const sample = `
  select
    coalesce((select commit_position from runtime.checkpoints where name = 'read_model'), -1) as read_models,
    coalesce((select commit_position from runtime.process_checkpoints where name = 'processes'), -1) as processes,
    coalesce((select commit_position from runtime.process_checkpoints where name = 'deliveries'), -1) as deliveries,
    (select count(*) from read_model.sessions) as sessions,
    (select count(*) from read_model.accounts) as accounts,
    (select count(*) from read_model.api_keys) as api_keys,
    (select count(*) from runtime.parked) as parked`;

export async function takeSample(pool: Queryable): Promise<Sample> {
  const { rows } = await pool.query<Readonly<Record<string, string>>>(sample);
  const row = rows[0] ?? {};
  return {
    readModels: BigInt(row.read_models ?? -1),
    processes: BigInt(row.processes ?? -1),
    deliveries: BigInt(row.deliveries ?? -1),
    sessions: Number(row.sessions),
    accounts: Number(row.accounts),
    apiKeys: Number(row.api_keys),
    parked: Number(row.parked),
  };
}

/** Each row, as text, of our tables and of the queue's, that contains one of the stems. */
export const dumpTables = (
  pool: pg.Pool,
  stems: readonly string[],
): Promise<Readonly<Record<string, readonly string[]>>> =>
  withoutTimeouts(pool, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    const dumped: Record<string, readonly string[]> = {};
    for (const { name } of rows) {
      const { rows: suspects } = await client.query<{ text: string }>(
        // Without `offset 0` a row would become text again for each stem: minutes after an hour.
        `select text from (select t::text as text from ${name} as t offset 0) as rows
         where exists (select from unnest($1::text[]) as stem where strpos(text, stem) > 0)`,
        [stems],
      );
      dumped[`the table ${name}`] = suspects.map(({ text }) => text);
    }
    return dumped;
  });

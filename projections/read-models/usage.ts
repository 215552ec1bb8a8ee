import type pg from 'pg';
import { agentSessionEvents, type AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { ownerOf } from '../../infra/event-store/client/owner.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { lastRows } from '../engine/last-rows.ts';
import type { Fold, Projection } from '../engine/projection.ts';
import {
  column,
  textOf,
  writeRows,
  type Positioned,
  type RowOf,
  type Schema,
  type Table,
} from '../engine/table.ts';
import { countAgentUse, countSession, noAgentUse, type AgentUse, type UsageHour } from './usage-fold.ts';

const columns = {
  account_id: textOf<AccountId>(),
  hour: column.time,
  started: column.integer,
  /** Milliseconds. */
  busy: column.bigint,
  peak: column.integer,
  /** End of the counted part of the hour, and the sessions running then. */
  counted_to: column.time,
  running: column.integer,
  agent_turns: column.integer,
  input_tokens: column.bigint,
  output_tokens: column.bigint,
  cost_cents: column.bigint,
};
export type UsageRow = RowOf<typeof columns>;
const columnNames = Object.keys(columns) as (keyof UsageRow)[];

const table: Table<typeof columns> = {
  name: 'usage_hours',
  columns,
  key: ['account_id', 'hour'],
  indexes: [],
  handlers: 2,
};

/** The change of the number of running sessions, by event type. */
const changes: Readonly<Record<string, 1 | -1>> = {
  SessionRequested: 1,
  SessionErrored: -1,
  SessionDestroyed: -1,
};

type DataOf<Type extends AgentSessionEvent['type']> = Extract<AgentSessionEvent, { type: Type }>['data'];

/** Usage of agent sessions, by event type. */
const uses: Readonly<Record<string, (event: RecordedEvent) => AgentUse>> = {
  TurnAdmitted: () => ({ ...noAgentUse, turns: 1 }),
  TurnDecomposed: useOfModel,
  TurnReadBack: useOfModel,
};

/** Only its own writers append to the category, validated against its schema. */
function useOfModel({ data }: RecordedEvent): AgentUse {
  const { usage } = data as DataOf<'TurnDecomposed' | 'TurnReadBack'>;
  const { inputTokens, outputTokens, costCents } = usage;
  return {
    turns: 0,
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    costCents: costCents ?? 0,
  };
}

/** Each account's sessions by hour (how many started, their duration, their maximum concurrency), and use by its agents. */
export const usageHours: Projection = {
  name: 'usage_hours',
  table,
  categories: ['session', agentSessionEvents.name],
  types: new Set([...Object.keys(changes), ...Object.keys(uses)]),
  // An hour's row continues from the previous hour's.
  rowOf: (event) => ownerOf(event) ?? event.stream,
  open: async (client, schema, events) => {
    const latest = await lastRows(client, schema, table, columnNames, events);
    return foldUsage(client, schema, new Map(latest.map((row) => [row.account_id, hourOfRow(row)])));
  },
};

function foldUsage(client: pg.ClientBase, schema: Schema, latest: Map<AccountId, UsageHour>): Fold {
  const changed = new Map<string, Positioned<UsageRow>>();
  return {
    apply(event: RecordedEvent) {
      const account = ownerOf(event);
      if (account === undefined) return;
      for (const hour of countedBy(event, latest.get(account))) {
        latest.set(account, hour);
        changed.set(`${account} ${hour.hour}`, { row: toRow(account, hour), position: event.position });
      }
    },
    write: () => writeRows(client, schema, table, 'upsert', [...changed.values()]),
  };
}

function countedBy(event: RecordedEvent, latest: UsageHour | undefined): readonly UsageHour[] {
  const change = changes[event.type];
  if (change !== undefined) return countSession(latest, timeOf(event), change);
  const use = uses[event.type]?.(event);
  return use === undefined ? [] : countAgentUse(latest, timeOf(event), use);
}

/** Throws for an event without a time, which no writer of the service appends. */
function timeOf({ type, data }: RecordedEvent): number {
  const at = typeof data === 'object' && data !== null && 'at' in data ? Date.parse(String(data.at)) : NaN;
  if (Number.isNaN(at)) throw new Error(`${type} does not say when it happened.`);
  return at;
}

const toRow = (account_id: AccountId, hour: UsageHour): UsageRow => ({
  account_id,
  hour: new Date(hour.hour).toISOString(),
  started: hour.started,
  busy: String(hour.busyMs),
  peak: hour.peak,
  counted_to: new Date(hour.countedTo).toISOString(),
  running: hour.running,
  agent_turns: hour.agent.turns,
  input_tokens: String(hour.agent.inputTokens),
  output_tokens: String(hour.agent.outputTokens),
  cost_cents: String(hour.agent.costCents),
});

/** An hour from its row, where times are ISO 8601. */
const hourOfRow = (row: Omit<UsageRow, 'account_id'>): UsageHour => ({
  hour: Date.parse(row.hour),
  started: row.started,
  busyMs: Number(row.busy),
  peak: row.peak,
  countedTo: Date.parse(row.counted_to),
  running: row.running,
  agent: {
    turns: row.agent_turns,
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    costCents: Number(row.cost_cents),
  },
});

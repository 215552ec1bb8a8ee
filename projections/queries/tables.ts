import type pg from 'pg';
import type { PositionColumns } from '../../infra/postgres/position-columns.ts';
import { queryBuilder } from '../../infra/postgres/queries.ts';
import type { AuditRow } from '../audit/log.ts';
import type { ReadRowOf, RowOf } from '../engine/table.ts';
import type { AccountEventRow } from '../read-models/account-event.ts';
import type { accounts } from '../read-models/account.ts';
import type { agentSessions } from '../read-models/agent-session.ts';
import type { apiKeys } from '../read-models/api-key.ts';
import type { logins } from '../read-models/login.ts';
import type { orders } from '../read-models/order.ts';
import type { profiles } from '../read-models/profile.ts';
import type { profileSnapshots } from '../read-models/profile-snapshot.ts';
import type { mails } from '../read-models/mail.ts';
import type { secondFactors } from '../read-models/second-factor.ts';
import type { sessions } from '../read-models/session.ts';
import type { webSessions } from '../read-models/web-session.ts';
import type { teamInvitations, teamMembers } from '../read-models/team.ts';
import type { webhookDeliveries } from '../read-models/webhook-delivery.ts';
import type { webhooks } from '../read-models/webhook-endpoint.ts';
import type { webhookReplays } from '../read-models/webhook-replay.ts';

type ColumnsOf<Model extends { readonly table: { readonly columns: unknown } }> = Model['table']['columns'];

/** Rows of statements in plain SQL, with times as dates. */
export type SessionRow = ReadRowOf<ColumnsOf<typeof sessions>>;
export type WebhookRow = ReadRowOf<ColumnsOf<typeof webhooks>>;
export type DeliveryRow = ReadRowOf<ColumnsOf<typeof webhookDeliveries>>;
export type MailRow = ReadRowOf<ColumnsOf<typeof mails>>;

/** What runs a statement: the pool, or a connection of it. */
export type Queryable = Pick<pg.Pool, 'query'>;

export const rowsOf = async <Row extends pg.QueryResultRow>(
  pool: Queryable,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => (await pool.query<Row>(text, [...values])).rows;

/** Of a statement whose rows are an `id` each. */
export const idsOf = async <Id extends string>(
  pool: Queryable,
  text: string,
  values?: readonly unknown[],
): Promise<readonly Id[]> => (await rowsOf<{ id: Id }>(pool, text, values)).map(({ id }) => id);

/** Of a statement whose one row is a `count`. */
export const countOf = async (
  pool: Queryable,
  text: string,
  values: readonly unknown[] = [],
): Promise<number> => (await rowsOf<{ count: number }>(pool, text, values))[0]?.count ?? 0;

/** The tables that the read-api's statements ask, as kysely is to know them, with times as ISO 8601 strings. */
export type Tables = {
  'read_model.sessions': RowOf<ColumnsOf<typeof sessions>>;
  'read_model.api_keys': RowOf<ColumnsOf<typeof apiKeys>>;
  'read_model.accounts': RowOf<ColumnsOf<typeof accounts>>;
  'read_model.audit_log': AuditRow;
  'read_model.orders': RowOf<ColumnsOf<typeof orders>>;
  'read_model.team_invitations': RowOf<ColumnsOf<typeof teamInvitations>>;
  'read_model.team_members': RowOf<ColumnsOf<typeof teamMembers>>;
  'read_model.webhooks': RowOf<ColumnsOf<typeof webhooks>>;
  'read_model.webhook_deliveries': RowOf<ColumnsOf<typeof webhookDeliveries>>;
  'read_model.webhook_replays': RowOf<ColumnsOf<typeof webhookReplays>>;
  'read_model.account_events': AccountEventRow & PositionColumns;
  'read_model.second_factors': RowOf<ColumnsOf<typeof secondFactors>>;
  'read_model.logins': RowOf<ColumnsOf<typeof logins>>;
  'read_model.web_sessions': RowOf<ColumnsOf<typeof webSessions>>;
  'read_model.agent_sessions': RowOf<ColumnsOf<typeof agentSessions>>;
  'read_model.profiles': RowOf<ColumnsOf<typeof profiles>>;
  'read_model.profile_snapshots': RowOf<ColumnsOf<typeof profileSnapshots>>;
  'ephemeral.key_uses': { readonly key_id: string; readonly used_at: string };
};

/** Compiles statements; nothing runs on it. */
export const db = queryBuilder().withTables<Tables>();

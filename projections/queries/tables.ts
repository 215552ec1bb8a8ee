import type pg from 'pg';
import type { PositionColumns } from '../../infra/postgres/position-columns.ts';
import { queryBuilder } from '../../infra/postgres/queries.ts';
import type { AuditRow } from '../audit/log.ts';
import type { PublicLeafRow } from '../audit/public-leaves.ts';
import type { ownProjections } from '../catalogue.ts';
import type { Columns, ReadRowOf, RowOf } from '../engine/table.ts';
import type { AccountEventRow } from '../read-models/account-event.ts';
import type { mails } from '../read-models/mail.ts';
import type { sessions } from '../read-models/session.ts';
import type { webhookDeliveries } from '../read-models/webhook-delivery.ts';
import type { webhooks } from '../read-models/webhook-endpoint.ts';

type ColumnsOf<Model extends { readonly table: { readonly columns: unknown } }> = Model['table']['columns'];

/** Rows of plain SQL statements, with times as dates. */
export type SessionRow = ReadRowOf<ColumnsOf<typeof sessions>>;
export type WebhookRow = ReadRowOf<ColumnsOf<typeof webhooks>>;
export type DeliveryRow = ReadRowOf<ColumnsOf<typeof webhookDeliveries>>;
export type MailRow = ReadRowOf<ColumnsOf<typeof mails>>;

/** Runs statements: the pool, or one of its connections. */
export type Queryable = Pick<pg.Pool, 'query'>;

export const rowsOf = async <Row extends pg.QueryResultRow>(
  pool: Queryable,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => (await pool.query<Row>(text, [...values])).rows;

/** Runs a statement whose rows have an `id`. */
export const idsOf = async <Id extends string>(
  pool: Queryable,
  text: string,
  values?: readonly unknown[],
): Promise<readonly Id[]> => (await rowsOf<{ id: Id }>(pool, text, values)).map(({ id }) => id);

/** Runs a statement with one row, a `count`. */
export const countOf = async (
  pool: Queryable,
  text: string,
  values: readonly unknown[] = [],
): Promise<number> => (await rowsOf<{ count: number }>(pool, text, values))[0]?.count ?? 0;

/** The table of a read model with statically known name and columns. */
type TableOf<Model> = Model extends {
  readonly name: infer Name extends string;
  readonly table: { readonly columns: infer C extends Columns };
}
  ? string extends Name
    ? never
    : { readonly name: `read_model.${Name}`; readonly row: RowOf<C> }
  : never;
type ReadModelTables = {
  [Each in TableOf<(typeof ownProjections)[number]> as Each['name']]: Each['row'];
};

/** The tables of read-api's statements, as types for kysely, with times as ISO 8601 strings. */
export type Tables = ReadModelTables & {
  'read_model.audit_log': AuditRow;
  'read_model.public_leaves': PublicLeafRow;
  'read_model.account_events': AccountEventRow & PositionColumns;
  'ephemeral.key_uses': { readonly key_id: string; readonly used_at: string };
};

/** Only compiles statements. */
export const db = queryBuilder().withTables<Tables>();

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

/** The table of a read model whose name and columns are known to the compiler. */
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

/** The tables that the read-api's statements ask, as kysely is to know them, with times as ISO 8601 strings. */
export type Tables = ReadModelTables & {
  'read_model.audit_log': AuditRow;
  'read_model.public_leaves': PublicLeafRow;
  'read_model.account_events': AccountEventRow & PositionColumns;
  'ephemeral.key_uses': { readonly key_id: string; readonly used_at: string };
};

/** Compiles statements; nothing runs on it. */
export const db = queryBuilder().withTables<Tables>();

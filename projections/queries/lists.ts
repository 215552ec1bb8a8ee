import { sql, type SelectQueryBuilder } from 'kysely';
import type { AccountId } from '../../contracts/ids.ts';
import { freshStatement, type Parameters, type Statement } from './fresh-statement.ts';

export interface ListParameters {
  readonly accountId: AccountId;
  readonly beforeTime: string;
  readonly beforeId: string;
  readonly limit: number;
}

export interface OneParameters {
  readonly accountId: AccountId;
  readonly id: string;
}

/** The rows behind a cursor in a list that is newest first, by creation and then id. */
export const afterCursor = (parameter: Parameters<ListParameters>) =>
  sql<boolean>`(created_at, id) < (${parameter('beforeTime')}::timestamptz, ${parameter('beforeId')})`;

export const newestFirst = { order: 'page.created_at desc, page.id desc' };

/** The part of a query of rows that a page shows, newest first. */
export const pageOf = <P extends ListParameters, DB, From extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, From, Row>,
  parameter: Parameters<P>,
) =>
  rows
    .where(afterCursor(parameter))
    .orderBy(sql`created_at`, 'desc')
    .orderBy(sql`id`, 'desc')
    .limit(parameter('limit'));

/** A page of the rows, newest first. */
export const listOf = <
  P extends ListParameters,
  Row extends { readonly id: string },
  DB,
  From extends keyof DB,
>(
  name: string,
  rows: (parameter: Parameters<P>) => SelectQueryBuilder<DB, From, Row>,
): Statement<P, Row> =>
  freshStatement<P, Row>(name, (parameter) => pageOf(rows(parameter), parameter), newestFirst);

/** A page of the account's rows, newest first. */
export const ownList = <DB, From extends keyof DB, Row extends { readonly id: string }>(
  name: string,
  rows: SelectQueryBuilder<DB, From, Row>,
): Statement<ListParameters, Row> =>
  listOf(name, (parameter: Parameters<ListParameters>) =>
    rows.where(sql<boolean>`account_id = ${parameter('accountId')}`),
  );

/** Statement for one of the account's rows, by id. */
export const ownById = <DB, From extends keyof DB, Row extends { readonly id: string }>(
  name: string,
  rows: SelectQueryBuilder<DB, From, Row>,
): Statement<OneParameters, Row> =>
  freshStatement<OneParameters, Row>(name, (parameter) =>
    rows.where(sql<boolean>`id = ${parameter('id')} and account_id = ${parameter('accountId')}`),
  );

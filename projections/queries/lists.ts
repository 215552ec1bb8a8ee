import { sql } from 'kysely';
import type { AccountId } from '../../contracts/ids.ts';
import type { Parameters } from './fresh-statement.ts';

export interface ListParameters {
  readonly accountId: AccountId;
  readonly beforeTime: string;
  readonly beforeId: string;
  readonly limit: number;
}

/** The rows after a cursor in a list that is newest first, by creation and then id. */
export const afterCursor = (parameter: Parameters<ListParameters>) =>
  sql<boolean>`(created_at, id) < (${parameter('beforeTime')}::timestamptz, ${parameter('beforeId')})`;

export const newestFirst = { order: 'page.created_at desc, page.id desc' };

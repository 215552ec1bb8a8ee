import type { Kysely } from 'kysely';
import type { accounts } from '../projections/accounts.ts';
import type { apiKeys } from '../projections/api-keys.ts';
import type { StoredEntry } from '../projections/audit/log.ts';
import type { sessions } from '../projections/sessions.ts';
import type { ReadRowOf } from '../projections/table.ts';

export type SessionRow = ReadRowOf<(typeof sessions)['table']['columns']>;
export type ApiKeyRow = ReadRowOf<(typeof apiKeys)['table']['columns']>;
export type AccountRow = ReadRowOf<(typeof accounts)['table']['columns']>;

/** The tables this side reads, as kysely is to know them. */
export type Tables = {
  'read_model.sessions': SessionRow;
  'read_model.api_keys': ApiKeyRow;
  'read_model.accounts': AccountRow;
  'read_model.audit_log': StoredEntry;
};

export type Database = Kysely<Tables>;

import type { ApiKeyId } from '../../contracts/ids.ts';
import { freshStatement } from './fresh-statement.ts';
import { afterCursor, newestFirst, type ListParameters } from './lists.ts';
import { db, type AccountRow, type ApiKeyRow } from './tables.ts';

export type ListedKey = ApiKeyRow & { readonly used_at: Date | null };

export const apiKeyList = freshStatement<ListParameters, ListedKey>(
  'list-api-keys',
  (parameter) =>
    db
      .selectFrom('read_model.api_keys as key')
      .leftJoin('ephemeral.key_uses as use', 'use.key_id', 'key.id')
      .selectAll('key')
      .select('use.used_at')
      .where('account_id', '=', parameter('accountId'))
      .where(afterCursor(parameter))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(parameter('limit')),
  newestFirst,
);

export type CredentialRow = Pick<
  ApiKeyRow,
  'id' | 'account_id' | 'scopes' | 'hash' | 'expires_at' | 'revoked_at'
> &
  Pick<AccountRow, 'tier' | 'suspended_at'>;

/** The key with what decides whether it is good. Whose it is, is known from the row. */
export const credentialOfKey = freshStatement<{ readonly keyId: ApiKeyId }, CredentialRow>(
  'credential',
  (parameter) =>
    db
      .selectFrom('read_model.api_keys as key')
      .innerJoin('read_model.accounts as account', 'account.id', 'key.account_id')
      .where('key.id', '=', parameter('keyId'))
      .select([
        'key.id',
        'key.account_id',
        'key.scopes',
        'key.hash',
        'key.expires_at',
        'key.revoked_at',
        'account.tier',
        'account.suspended_at',
      ]),
  { owner: 'account of the row' },
);

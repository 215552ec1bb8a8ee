import type { ApiKeyId } from '../../contracts/ids.ts';
import { freshStatement } from './fresh-statement.ts';
import { ownList } from './lists.ts';
import { db, type Tables } from './tables.ts';

export const apiKeyList = ownList(
  'list-api-keys',
  db
    .selectFrom('read_model.api_keys as key')
    .leftJoin('ephemeral.key_uses as use', 'use.key_id', 'key.id')
    .selectAll('key')
    .select('use.used_at as last_used_at'),
);

type KeyRow = Tables['read_model.api_keys'];
type OwnerRow = Tables['read_model.accounts'];
export type CredentialRow = Pick<
  KeyRow,
  'id' | 'account_id' | 'scopes' | 'hash' | 'expires_at' | 'revoked_at'
> &
  Pick<OwnerRow, 'tier' | 'suspended_at'>;

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

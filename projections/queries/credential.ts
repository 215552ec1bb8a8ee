import type { ApiKeyId, WebSessionId } from '../../contracts/ids.ts';
import { freshStatement } from './fresh-statement.ts';
import { db, type Tables } from './tables.ts';

type KeyRow = Tables['read_model.api_keys'];
type SessionRow = Tables['read_model.web_sessions'];
type OwnerRow = Tables['read_model.accounts'];
/** The owner's columns of a credential's row. */
type OwnerFacts = Pick<OwnerRow, 'tier' | 'suspended_at' | 'accepted_revision'>;
export type KeyCredentialRow = Pick<
  KeyRow,
  'id' | 'account_id' | 'scopes' | 'hash' | 'expires_at' | 'revoked_at'
> &
  OwnerFacts;
export type SessionCredentialRow = Pick<SessionRow, 'id' | 'account_id' | 'kind' | 'scopes' | 'ended_at'> &
  OwnerFacts & {
    /** When all of the account's sessions were ended, if this one was among them; else null. */
    readonly epoch_since: string | null;
  };

const ownerFacts = ['account.tier', 'account.suspended_at', 'account.accepted_revision'] as const;

/** The key with the columns that decide its validity. The row names its account. */
export const credentialOfKey = freshStatement<{ readonly keyId: ApiKeyId }, KeyCredentialRow>(
  'credential',
  (parameter) =>
    db
      .selectFrom('read_model.api_keys as key')
      .innerJoin('read_model.accounts as account', 'account.id', 'key.account_id')
      .where('key.id', '=', parameter('keyId'))
      .where('account.erased_at', 'is', null)
      .select(['key.id', 'key.account_id', 'key.scopes', 'key.hash', 'key.expires_at', 'key.revoked_at'])
      .select(ownerFacts),
  { owner: 'account of the row' },
);

/** The same for the web session of an access token. */
export const credentialOfSession = freshStatement<{ readonly sessionId: WebSessionId }, SessionCredentialRow>(
  'credential-of-session',
  (parameter) =>
    db
      .selectFrom('read_model.web_sessions as session')
      .innerJoin('read_model.accounts as account', 'account.id', 'session.account_id')
      .leftJoin('read_model.logins as login', (join) =>
        join.onRef('login.id', '=', 'session.account_id').onRef('login.epoch', '>', 'session.epoch'),
      )
      .where('session.id', '=', parameter('sessionId'))
      .where('account.erased_at', 'is', null)
      .select([
        ...(['session.id', 'session.account_id', 'session.kind', 'session.scopes'] as const),
        ...(['session.ended_at', 'login.epoch_since'] as const),
      ])
      .select(ownerFacts),
  { owner: 'account of the row' },
);

import type { CredentialKind } from '../../contracts/credentials.ts';
import type { Scope } from '../../contracts/events/api-key.ts';
import { parseId, type AccountId, type ApiKeyId, type WebSessionId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Tier } from '../../contracts/tiers.ts';
import type { AccessTokens } from '../../infra/credentials/access-tokens.ts';
import {
  assertAdmitted,
  createJudge,
  type AccountFacts,
  type CredentialFacts,
  type CredentialId,
} from '../../infra/credentials/judge.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { credentialIn, type RequestFacts } from '../../infra/http/index.ts';
import { isAfter } from '../../infra/event-store/client/position.ts';
import type { Peppers } from '../../infra/keys/index.ts';
import { behind, type FreshReads } from './fresh-reads.ts';
import {
  credentialOfKey,
  credentialOfSession,
  type KeyCredentialRow,
} from '../../projections/queries/credential.ts';

/** The authenticated caller of a read. */
export interface Reader {
  readonly accountId: AccountId;
  readonly actorId: AccountId;
  readonly kind: CredentialKind;
  readonly credentialId: CredentialId;
  readonly tier: Tier;
  readonly scopes: readonly Scope[];
}

export interface Credentials {
  /** Calls `beforeLookUp` first if the credential is not cached; its errors are passed on. */
  authenticate(request: RequestFacts, beforeLookUp: () => Promise<void>): Promise<Reader>;
  /** Validates the credential again if the account has written since it was cached. */
  confirm(reader: Reader, request: Pick<RequestFacts, 'ungated'>, lastWrite: Position): Promise<void>;
}

interface Options {
  readonly reads: FreshReads;
  readonly tokens: Pick<AccessTokens, 'readAccess'>;
  readonly peppers: Pick<Peppers, 'known'>;
  readonly clock: Clock;
  /** Cache lifetime of a credential without writes of its account, in milliseconds. */
  readonly cacheMs: number;
  /** The present revision of the terms; empty: none. */
  readonly termsRevision: string;
}

/** A credential's row, and the checkpoint at which it was read. */
interface Known extends CredentialFacts, AccountFacts {
  readonly tier: Tier;
  readonly reached: Position;
}

/**
 * Credentials from the read models.
 *
 * - An unknown credential is refused only after the read models include every write acknowledged to anyone, so that a new one
 *   works at once.
 * - A cached one is invalidated by its account's writes, which every query detects, so that a revoked one stops working at once;
 *   and after `cacheMs`.
 * - A refused one is not cached: its account's suspension may be lifted.
 */
export function createCredentials({
  reads,
  tokens,
  peppers,
  clock,
  cacheMs,
  termsRevision,
}: Options): Credentials {
  const judge = createJudge<Known>({
    tokens,
    peppers,
    clock,
    maxAgeMs: cacheMs,
    isCacheable: ({ revoked_at, suspended, acceptedRevision }) =>
      revoked_at === null && !suspended && (termsRevision === '' || acceptedRevision === termsRevision),
    read: (id) => {
      const keyId = parseId('apiKey', id);
      return keyId === undefined ? knownSession(reads, id as WebSessionId) : knownKey(reads, keyId);
    },
  });
  return {
    async authenticate(request, beforeLookUp) {
      const known = await judge.identify(credentialIn(request), beforeLookUp);
      assertAdmitted(known, request, termsRevision);
      const { id, kind, accountId, tier, scopes } = known;
      return { accountId, actorId: accountId, kind, credentialId: id, tier, scopes };
    },
    async confirm({ credentialId }, request, lastWrite) {
      const { reached } = await judge.accepted(credentialId);
      if (!isAfter(lastWrite, reached)) return;
      judge.forget(credentialId);
      assertAdmitted(await judge.accepted(credentialId), request, termsRevision);
    },
  };
}

async function knownKey(reads: FreshReads, keyId: ApiKeyId): Promise<Known> {
  const { rows, reached, stale } = await reads.read(credentialOfKey, { keyId });
  const row = foundIn(rows, stale);
  const { id, account_id, scopes, hash, expires_at, revoked_at, tier } = row;
  const facts = { kind: 'api_key', id, accountId: account_id, scopes, hash, expires_at, revoked_at } as const;
  return { ...facts, ...accountFacts(row), tier, reached };
}

async function knownSession(reads: FreshReads, sessionId: WebSessionId): Promise<Known> {
  const { rows, reached, stale } = await reads.read(credentialOfSession, { sessionId });
  const row = foundIn(rows, stale);
  const { id, kind, account_id, scopes, ended_at, epoch_since, tier } = row;
  const facts = {
    kind,
    id,
    accountId: account_id,
    scopes,
    hash: null,
    expires_at: null,
    revoked_at: ended_at ?? epoch_since,
  };
  return { ...facts, ...accountFacts(row), tier, reached };
}

const accountFacts = ({
  suspended_at,
  accepted_revision,
}: Pick<KeyCredentialRow, 'suspended_at' | 'accepted_revision'>): AccountFacts => ({
  suspended: suspended_at !== null,
  acceptedRevision: accepted_revision,
});

function foundIn<Row>([row]: readonly Row[], stale: boolean): Row {
  if (row === undefined) throw stale ? behind() : refuse('invalid-key');
  return row;
}

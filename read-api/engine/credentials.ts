import type { CredentialKind } from '../../contracts/credentials.ts';
import { apiKeyEvents, type Scope } from '../../contracts/events/api-key.ts';
import { streamOf } from '../../contracts/events/catalogue.ts';
import { webSessionEvents } from '../../contracts/events/web-session.ts';
import { parseId, uuidOf, type AccountId, type ApiKeyId, type WebSessionId } from '../../contracts/ids.ts';
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
import type { EventStore, Position } from '../../infra/event-store/client/types.ts';
import { credentialIn, type RequestFacts } from '../../infra/http/index.ts';
import { isAfter } from '../../infra/event-store/client/position.ts';
import type { Peppers } from '../../infra/keys/index.ts';
import {
  credentialOfKey,
  credentialOfSession,
  type KeyCredentialRow,
} from '../../projections/queries/credential.ts';
import type { Statement } from '../../projections/queries/fresh-statement.ts';
import { behind, type FreshReads } from './fresh-reads.ts';
import { duringOutage } from './log-outage.ts';

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
  confirm(reader: Reader, request: RequestFacts, lastWrite: Position): Promise<void>;
}

interface Sources {
  readonly reads: FreshReads;
  readonly store: Pick<EventStore, 'readStream'>;
}

/** Validates a credential by its own streams and the account's; rejects with the refusal. */
export type AcceptedByLog = (text: string, route: Pick<RequestFacts, 'ungated'>) => Promise<unknown>;

interface Options extends Sources {
  readonly acceptedByLog: AcceptedByLog;
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
 * - An unknown credential is refused only after the read models include every acknowledged write of every account, so
 *   that a new credential works at once. The log must not have it either: the positions of writes made while Postgres
 *   was unavailable are not recorded.
 * - A cached credential is invalidated by writes of its account, which every query detects, so that a revoked one
 *   stops working at once. It is also invalidated after `cacheMs`. While the read models are behind these writes, the
 *   log decides.
 * - A refused one is not cached: its account's suspension may be lifted.
 */
export function createCredentials(options: Options): Credentials {
  const { reads, store, acceptedByLog, cacheMs, termsRevision } = options;
  const judge = createJudge<Known>({
    ...options,
    maxAgeMs: cacheMs,
    isCacheable: ({ revoked_at, suspended, acceptedRevision }) =>
      revoked_at === null && !suspended && (termsRevision === '' || acceptedRevision === termsRevision),
    read: (id) => {
      const keyId = parseId('apiKey', id);
      const sources = { reads, store };
      return keyId === undefined ? knownSession(sources, id as WebSessionId) : knownKey(sources, keyId);
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
      const known = await judge.accepted(credentialId);
      assertAdmitted(known, request, termsRevision);
      if (isAfter(lastWrite, known.reached))
        await duringOutage('Credentials', () => acceptedByLog(credentialIn(request), request));
    },
  };
}

async function knownKey(sources: Sources, keyId: ApiKeyId): Promise<Known> {
  const stream = streamOf(apiKeyEvents, uuidOf(keyId));
  const { row, reached } = await find(sources, credentialOfKey, { keyId }, stream);
  const { id, account_id, scopes, hash, expires_at, revoked_at, tier } = row;
  const facts = { kind: 'api_key', id, accountId: account_id, scopes, hash, expires_at, revoked_at } as const;
  return { ...facts, ...accountFacts(row), tier, reached };
}

async function knownSession(sources: Sources, sessionId: WebSessionId): Promise<Known> {
  const stream = streamOf(webSessionEvents, uuidOf(sessionId));
  const { row, reached } = await find(sources, credentialOfSession, { sessionId }, stream);
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

/** The row of a credential. If it is missing, and its stream has events that the read model lacks, waits for them. */
async function find<P, Row extends { readonly id: string }>(
  { reads, store }: Sources,
  statement: Statement<P, Row>,
  parameters: P,
  stream: string,
): Promise<{ readonly row: Row; readonly reached: Position }> {
  const first = await reads.read(statement, parameters);
  const [row] = first.rows;
  if (row !== undefined) return { row, reached: first.reached };
  if (first.stale) throw behind();
  const atLeast = await duringOutage('Credentials', () => lastOf(store, stream));
  if (atLeast === undefined || !isAfter(atLeast, first.reached)) throw refuse('invalid-key');
  const again = await reads.read(statement, parameters, { atLeast });
  const [late] = again.rows;
  if (late === undefined) throw again.stale ? behind() : refuse('invalid-key');
  return { row: late, reached: again.reached };
}

async function lastOf(store: Sources['store'], stream: string): Promise<Position | undefined> {
  for await (const { position } of store.readStream(stream, { direction: 'backwards', limit: 1 }))
    return position;
  return undefined;
}

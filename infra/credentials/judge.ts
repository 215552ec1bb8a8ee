import type { CredentialKind } from '../../contracts/credentials.ts';
import type { Scope } from '../../contracts/events/api-key.ts';
import type { AccountId, ApiKeyId, WebSessionId } from '../../contracts/ids.ts';
import { refuse, type Refusal } from '../../contracts/problems.ts';
import type { Gate } from '../../contracts/route.ts';
import { keyEnd } from '../../contracts/resources/api-key.ts';
import { matchesApiKey, parseApiKey, type Peppers } from '../keys/index.ts';
import { CachedReads } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { AccessTokens } from './access-tokens.ts';

/** The id of a credential: a key, or a token's web session. */
export type CredentialId = ApiKeyId | WebSessionId;

/** The facts that decide whether a credential is accepted. */
export interface CredentialFacts {
  readonly kind: CredentialKind;
  readonly id: CredentialId;
  readonly accountId: AccountId;
  readonly scopes: readonly Scope[];
  /** Of an API key. Null for a token, which is verified by its signature. */
  readonly hash: string | null;
  /** ISO 8601; for a rotated key the end of its grace period. */
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

interface JudgeOptions<Facts extends CredentialFacts> {
  /** Reads the facts from streams or read models. Undefined, or rejects, for an unknown credential. */
  readonly read: (id: CredentialId) => Promise<Facts | undefined>;
  readonly tokens: Pick<AccessTokens, 'readAccess'>;
  /** Peppers of the stored hashes of keys. */
  readonly peppers: Pick<Peppers, 'known'>;
  readonly clock: Clock;
  /** Maximum age of cached facts in milliseconds, should an invalidation be missed. */
  readonly maxAgeMs: number;
  /** False for facts that must be read at each use. */
  readonly isCacheable?: (facts: Facts) => boolean;
}

/** The facts that decide about all credentials of an account. */
export interface AccountFacts {
  readonly suspended: boolean;
  /** Accepted revision of the terms; null: none. */
  readonly acceptedRevision: string | null;
}

/** Refuses a suspended account and one that has not accepted the present terms, unless the route has no such gate. */
export function assertAdmitted(
  { suspended, acceptedRevision }: AccountFacts,
  { ungated }: { readonly ungated: readonly Gate[] },
  /** Empty: no terms are required. */
  termsRevision: string,
): void {
  if (suspended && !ungated.includes('suspension')) throw accountSuspended();
  if (ungated.includes('terms') || termsRevision === '') return;
  if (acceptedRevision !== termsRevision)
    throw refuse(
      'legal-acceptance-required',
      `The terms have a new revision. Accept it: POST /v1/legal/accept {"revision": "${termsRevision}"}.`,
    );
}

export const accountSuspended = (): Refusal => refuse('forbidden', 'The account is suspended.');

/** The refusal of an ended credential, by its kind. */
const endedDetails: Readonly<Record<'revoked' | 'expired', string>> = {
  revoked: 'The session has ended. Sign in again.',
  expired: 'The access token has expired. Refresh it, or sign in again.',
};

export const sessionEnded = (): Refusal => refuse('revoked-key', endedDetails.revoked);

const accessToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/;

/** Validates API keys and access tokens by cached facts: the one place that maps a credential to its caller. */
export function createJudge<Facts extends CredentialFacts>({
  read,
  tokens,
  peppers,
  clock,
  ...caching
}: JudgeOptions<Facts>) {
  const known = new CachedReads<Facts | undefined>({
    maxAgeMs: caching.maxAgeMs,
    isCacheable: (facts) => facts === undefined || (caching.isCacheable?.(facts) ?? true),
  });
  /** The facts of a valid credential. */
  const accepted = async (id: CredentialId, text?: string): Promise<Facts> => {
    const facts = await known.get(id, () => read(id));
    if (facts === undefined) throw refuse('invalid-key');
    const { kind, hash } = facts;
    if (text !== undefined && hash !== null && !matchesApiKey(text, peppers, hash))
      throw refuse('invalid-key');
    const end = keyEnd(facts, clock.now());
    if (end !== undefined) throw refuse(`${end}-key`, kind === 'api_key' ? undefined : endedDetails[end]);
    return facts;
  };
  return {
    accepted,
    /** Calls `beforeLookUp` first if the credential is not cached; its errors are passed on. */
    async identify(text: string, beforeLookUp: () => Promise<void>): Promise<Facts> {
      const id = await credentialNamedBy(text, tokens);
      if (!known.has(id)) await beforeLookUp();
      return accepted(id, text);
    },
    forget: (id: CredentialId): void => known.forget(id),
  };
}

/** The id of a credential by its format and, for a token, its signature. */
async function credentialNamedBy(
  text: string,
  tokens: Pick<AccessTokens, 'readAccess'>,
): Promise<CredentialId> {
  if (accessToken.test(text)) {
    const claims = await tokens.readAccess(text);
    if (claims === 'expired') throw refuse('expired-key', endedDetails.expired);
    if (claims !== 'malformed') return claims.webSessionId;
  }
  const key = parseApiKey(text);
  if (key === 'malformed') throw refuse('invalid-key', 'This is not a credential of this service.');
  return key.apiKeyId;
}

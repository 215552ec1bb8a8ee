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

/** What a text names: a key, or the web session that a token was made for. */
export type CredentialId = ApiKeyId | WebSessionId;

/** What decides whether a credential is accepted. */
export interface CredentialFacts {
  readonly kind: CredentialKind;
  readonly id: CredentialId;
  readonly accountId: AccountId;
  readonly scopes: readonly Scope[];
  /** Of an API key's text. A token is its own proof. */
  readonly hash: string | null;
  /** ISO 8601; of a rotated key the end of its grace period. */
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

interface JudgeOptions<Facts extends CredentialFacts> {
  /** Where the facts are: streams or read models. Undefined, or refused, when there is no such credential. */
  readonly read: (id: CredentialId) => Promise<Facts | undefined>;
  readonly tokens: Pick<AccessTokens, 'readAccess'>;
  /** What the keys were hashed with. */
  readonly peppers: Pick<Peppers, 'known'>;
  readonly clock: Clock;
  /** The oldest that cached facts may be, in case an invalidation is missed; milliseconds. */
  readonly maxAgeMs: number;
  /** False for facts that are read again at each use, however young they are. */
  readonly isCacheable?: (facts: Facts) => boolean;
}

/** What decides about every credential of an account. */
export interface AccountFacts {
  readonly suspended: boolean;
  /** Of the terms; null: none. */
  readonly acceptedRevision: string | null;
}

/** Refuses a suspended account, then one that has not accepted the terms that are in force, where the route does. */
export function assertAdmitted(
  { suspended, acceptedRevision }: AccountFacts,
  { ungated }: { readonly ungated: readonly Gate[] },
  /** Empty: no terms are in force. */
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

/** Judges API keys and access tokens by facts that are cached: the one place that maps a credential to its caller. */
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
  /** The facts of a credential that is accepted now. */
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

/** What a text names, when it has the form of a credential and, if it is a token, was signed by us. */
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

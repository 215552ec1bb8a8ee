import type { ApiKeyId } from '../../contracts/ids.ts';
import { refuse, type Refusal } from '../../contracts/problems.ts';
import { keyEnd } from '../../contracts/resources/api-key.ts';
import type { Clock } from '../platform/clock.ts';
import { createExpiringCache } from '../platform/expiring-cache.ts';
import { matchesApiKey, parseApiKey } from './index.ts';

/** What decides whether a key is accepted. */
export interface KeyFacts {
  readonly hash: string;
  /** ISO 8601; of a rotated key the end of its grace period. */
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

interface CredentialOptions<Facts extends KeyFacts> {
  /** Where the facts of a key are: streams or a read model. Undefined, or refused, when there is no such key. */
  readonly read: (keyId: ApiKeyId) => Promise<Facts | undefined>;
  /** The one the keys were hashed with. */
  readonly pepper: string;
  readonly clock: Clock;
  /** The oldest that cached facts may be, in case an invalidation is missed; milliseconds. */
  readonly maxAgeMs: number;
  /** False for facts that are read again at each use, however young they are. */
  readonly isCacheable?: (facts: Facts) => boolean;
  /** What is said of a text that is no key. */
  readonly malformedDetail?: string;
}

export const accountSuspended = (): Refusal => refuse('forbidden', 'The account is suspended.');

/** Judges API keys by facts that are cached. */
export function createKeyJudge<Facts extends KeyFacts>({
  read,
  pepper,
  clock,
  malformedDetail,
  ...caching
}: CredentialOptions<Facts>) {
  const known = createExpiringCache<Facts | undefined>({
    maxAgeMs: caching.maxAgeMs,
    isCacheable: (facts) => facts === undefined || (caching.isCacheable?.(facts) ?? true),
  });
  /** The facts of a key that is accepted now. */
  const accepted = async (keyId: ApiKeyId, text?: string): Promise<Facts> => {
    const facts = await known.get(keyId, () => read(keyId));
    if (facts === undefined) throw refuse('invalid-key');
    if (text !== undefined && !matchesApiKey(text, pepper, facts.hash)) throw refuse('invalid-key');
    const end = keyEnd(facts, clock.now());
    if (end !== undefined) throw refuse(`${end}-key`);
    return facts;
  };
  return {
    accepted,
    /** Calls `beforeLookUp` first when nothing is cached of the key; what it throws stands. */
    async identify(text: string, beforeLookUp: () => Promise<void>): Promise<Facts> {
      const parsed = parseApiKey(text);
      if (parsed === 'malformed') throw refuse('invalid-key', malformedDetail);
      if (!known.has(parsed.apiKeyId)) await beforeLookUp();
      return accepted(parsed.apiKeyId, text);
    },
    forget: known.forget,
  };
}

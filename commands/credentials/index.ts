import { uuidOf, type ApiKeyId } from '../../contracts/ids.ts';
import { refuse, type ProblemSlug } from '../../contracts/problems.ts';
import { account, concurrentSessions, type Account } from '../../domain/account.ts';
import { apiKey, validityAt, type ApiKey, type KeyValidity } from '../../domain/api-key.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { Caller } from '../engine/context.ts';
import type { Runner } from '../engine/runner.ts';
import { createExpiringCache } from '../engine/expiring-cache.ts';

export interface CredentialPorts {
  readonly runner: Runner;
  readonly clock: Clock;
  readonly parseKey: (text: string) => { readonly apiKeyId: ApiKeyId } | 'malformed';
  /** Compares a key's text with its stored hash, in constant time. */
  readonly matchesKey: (text: string, hash: string) => boolean;
  /** How long a key's or account's state is believed without a look at its stream, ms. */
  readonly maxAgeMs: number;
}

/** What a valid key says about whoever sent it. */
export type Identified = Omit<Caller, 'context'>;

const refusals: Record<Exclude<KeyValidity, 'active'>, ProblemSlug> = {
  unknown: 'invalid-key',
  expired: 'expired-key',
  revoked: 'revoked-key',
};

/** Who a key belongs to and whether it opens anything, decided on the key's and the account's streams. */
export function createCredentials({ runner, clock, parseKey, matchesKey, maxAgeMs }: CredentialPorts) {
  const keys = createExpiringCache<ApiKey>({ maxAgeMs });
  const accounts = createExpiringCache<Account>({ maxAgeMs });
  const keyOf = (uuid: string) => keys.get(uuid, async () => (await runner.load(apiKey, uuid)).state);
  const ownerOf = (uuid: string) => accounts.get(uuid, async () => (await runner.load(account, uuid)).state);

  return {
    /** Calls `beforeLookUp` first when nothing is known of the key here; what it throws stands. */
    async identify(text: string, beforeLookUp: () => Promise<void>): Promise<Identified> {
      const parsed = parseKey(text);
      if (parsed === 'malformed') throw refuse('invalid-key');
      const uuid = uuidOf(parsed.apiKeyId);
      if (!keys.has(uuid)) await beforeLookUp();
      const key = await keyOf(uuid);
      if (key.status === 'none' || !matchesKey(text, key.record.hash)) throw refuse('invalid-key');
      const validity = validityAt(key, clock.now());
      if (validity !== 'active') throw refuse(refusals[validity]);
      const { apiKeyId: keyId, accountId, scopes } = key.record;
      const owner = await ownerOf(uuidOf(accountId));
      if (owner.status === 'none') throw refuse('invalid-key');
      if (owner.status === 'suspended') throw refuse('forbidden', 'The account is suspended.');
      return { accountId, tier: owner.tier, concurrentSessions: concurrentSessions(owner), keyId, scopes };
    },

    /** A stream that has been written to: what is believed of it is read again. */
    changed(stream: string): void {
      const uuid = stream.slice(stream.indexOf('-') + 1);
      if (stream.startsWith('api_key-')) keys.forget(uuid);
      if (stream.startsWith('account-')) accounts.forget(uuid);
    },
  };
}

export type Credentials = ReturnType<typeof createCredentials>;

import { toId, uuidOf, type AccountId, type ApiKeyId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { account, concurrentSessions, type Account } from '../../domain/account.ts';
import { apiKey, type KeyRecord } from '../../domain/api-key.ts';
import { accountSuspended, createKeyJudge, type KeyFacts } from '../../infra/keys/credentials.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { createExpiringCache } from '../../infra/platform/expiring-cache.ts';
import type { Caller } from '../engine/context.ts';
import type { Runner } from '../engine/runner.ts';

export interface CredentialPorts {
  readonly runner: Runner;
  readonly clock: Clock;
  /** The one the keys were hashed with. */
  readonly pepper: string;
  /** The oldest that a cached key or account may be, in case an invalidation is missed; milliseconds. */
  readonly maxAgeMs: number;
}

/** What a valid key says about whoever sent it. */
export type Identified = Omit<Caller, 'context'>;

type StreamFacts = KeyFacts & Pick<KeyRecord, 'apiKeyId' | 'accountId' | 'scopes'>;

/** Who a key belongs to and whether it opens anything, decided on the key's and the account's streams. */
export function createCredentials({ runner, clock, pepper, maxAgeMs }: CredentialPorts) {
  const keys = createKeyJudge({ read: (id) => keyFacts(runner, id), clock, pepper, maxAgeMs });
  const accounts = createExpiringCache<Account>({ maxAgeMs });
  const ownerOf = (id: AccountId) =>
    accounts.get(id, async () => (await runner.load(account, uuidOf(id))).state);

  return {
    /** Calls `beforeLookUp` first when nothing is cached of the key; what it throws stands. */
    async identify(text: string, beforeLookUp: () => Promise<void>): Promise<Identified> {
      const { apiKeyId: keyId, accountId, scopes } = await keys.identify(text, beforeLookUp);
      const owner = await ownerOf(accountId);
      if (owner.status === 'none') throw refuse('invalid-key');
      if (owner.status === 'suspended') throw accountSuspended();
      return { accountId, tier: owner.tier, concurrentSessions: concurrentSessions(owner), keyId, scopes };
    },

    /** Invalidates what is cached of a stream that has been written to. */
    changed(stream: string): void {
      const uuid = stream.slice(stream.indexOf('-') + 1);
      if (stream.startsWith('api_key-')) keys.forget(toId('apiKey', uuid));
      if (stream.startsWith('account-')) accounts.forget(toId('account', uuid));
    },
  };
}

export type Credentials = ReturnType<typeof createCredentials>;

async function keyFacts(runner: Runner, keyId: ApiKeyId): Promise<StreamFacts | undefined> {
  const { state } = await runner.load(apiKey, uuidOf(keyId));
  if (state.status === 'none') return undefined;
  const { expiresAt, ...record } = state.record;
  return {
    ...record,
    expires_at: state.status === 'rotated' ? state.graceEndsAt : expiresAt,
    revoked_at: state.status === 'revoked' ? state.revokedAt : null,
  };
}

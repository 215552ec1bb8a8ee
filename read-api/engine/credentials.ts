import type { Scope } from '../../contracts/events/api-key.ts';
import type { AccountId, ApiKeyId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Tier } from '../../contracts/tiers.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { bearerToken, type RequestFacts } from '../../infra/http/index.ts';
import { accountSuspended, createKeyJudge } from '../../infra/keys/credentials.ts';
import { isAfter } from '../../infra/event-store/client/position.ts';
import type { FreshReads } from './fresh-reads.ts';
import { behind } from './reading.ts';
import { credentialOfKey, type CredentialRow } from '../../projections/queries/api-key.ts';

/** Who a reader is; what the edge and the handlers need. */
export interface Reader {
  readonly accountId: AccountId;
  readonly keyId: ApiKeyId;
  readonly tier: Tier;
  readonly scopes: readonly Scope[];
}

export interface Credentials {
  /** Calls `beforeLookUp` first when nothing is cached of the key; what it throws stands. */
  authenticate(request: RequestFacts, beforeLookUp: () => Promise<void>): Promise<Reader>;
  /** Judges the reader's key again if the account has written something since the key was last looked up. */
  confirm(reader: Reader, noted: Position): Promise<void>;
}

interface Options {
  readonly reads: FreshReads;
  readonly pepper: string;
  readonly clock: Clock;
  /** How long a key is cached when its account writes nothing, milliseconds. */
  readonly cacheMs: number;
}

/** A key's row, and how far the read models were when it was read. */
type Known = CredentialRow & { readonly reached: Position };

/**
 * Keys as the read models have them. A key that is not there is refused only after the read models have passed everything
 * that was acknowledged to anyone, so one made a moment ago works at once. A cached key is invalidated when its account
 * writes something, which every query finds out, so one revoked a moment ago does not work; and after `cacheMs`. A key
 * that was refused is not cached: its account's suspension may have been lifted.
 */
export function createCredentials({ reads, pepper, clock, cacheMs }: Options): Credentials {
  const keys = createKeyJudge<Known>({
    pepper,
    clock,
    maxAgeMs: cacheMs,
    malformedDetail: 'This is not an API key of this service.',
    isCacheable: ({ revoked_at, suspended_at }) => revoked_at === null && suspended_at === null,
    async read(keyId) {
      const { rows, reached, stale } = await reads.read(credentialOfKey, { keyId });
      if (rows[0] === undefined) throw stale ? behind() : refuse('invalid-key');
      return { ...rows[0], reached };
    },
  });
  return {
    async authenticate(request, beforeLookUp) {
      const text = bearerToken(request.header('authorization'));
      const { id, account_id, tier, scopes, suspended_at } = await keys.identify(text, beforeLookUp);
      if (suspended_at !== null) throw accountSuspended();
      return { accountId: account_id, keyId: id, tier, scopes };
    },
    async confirm({ keyId }, noted) {
      const { reached } = await keys.accepted(keyId);
      if (!isAfter(noted, reached)) return;
      keys.forget(keyId);
      const { suspended_at } = await keys.accepted(keyId);
      if (suspended_at !== null) throw accountSuspended();
    },
  };
}

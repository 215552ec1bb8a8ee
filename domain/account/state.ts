import type { AccountId, ApiKeyId } from '../../contracts/ids.ts';
import { tierLimits, type Tier } from '../../contracts/tiers.ts';

/** A key's place under the cap. A place given back stays on record: the same key is never admitted again. */
export type KeyPlace = { readonly held: true; readonly since: string } | { readonly held: false };

export interface ExistingAccount {
  readonly status: 'active' | 'suspended';
  readonly accountId: AccountId;
  readonly sealedEmail: string;
  readonly tier: Tier;
  /** Concurrent sessions granted beyond the tier's. */
  readonly concurrencyOverride: number | null;
  readonly keys: Readonly<Partial<Record<ApiKeyId, KeyPlace>>>;
  readonly createdAt: string;
}

/** `none` is a stream without events. */
export type Account = { readonly status: 'none' } | ExistingAccount;

export const noAccount: Account = { status: 'none' };

/** The tier's concurrent sessions, or the account's override when that is higher: an override never takes away. */
export const concurrentSessions = ({ tier, concurrencyOverride }: ExistingAccount): number =>
  Math.max(tierLimits[tier].concurrentSessions, concurrencyOverride ?? 0);

/** The keys that hold a place, each with the time it was given. */
export const heldPlaces = ({
  keys,
}: ExistingAccount): readonly { readonly apiKeyId: ApiKeyId; readonly since: string }[] =>
  Object.entries(keys).flatMap(([apiKeyId, place]) =>
    place?.held ? [{ apiKeyId: apiKeyId as ApiKeyId, since: place.since }] : [],
  );

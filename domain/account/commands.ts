import type { AccountId, ApiKeyId } from '../../contracts/ids.ts';
import type { Tier } from '../../contracts/tiers.ts';

/** `at` is the time of deciding, ISO 8601. */
export type AccountCommand =
  | CreateAccount
  | SetTier
  | OverrideConcurrency
  | SuspendAccount
  | UnsuspendAccount
  | AdmitApiKey
  | ReplaceApiKey
  | DismissApiKey;

export interface CreateAccount {
  readonly type: 'CreateAccount';
  readonly accountId: AccountId;
  readonly sealedEmail: string;
  readonly tier: Tier;
  readonly at: string;
}

export interface SetTier {
  readonly type: 'SetTier';
  readonly tier: Tier;
  readonly at: string;
}

export interface OverrideConcurrency {
  readonly type: 'OverrideConcurrency';
  /** Null takes the override back. */
  readonly limit: number | null;
  readonly at: string;
}

export interface SuspendAccount {
  readonly type: 'SuspendAccount';
  readonly reason: string;
  readonly at: string;
}

export interface UnsuspendAccount {
  readonly type: 'UnsuspendAccount';
  readonly at: string;
}

/** Takes a place under the tier's cap, before the key exists. */
export interface AdmitApiKey {
  readonly type: 'AdmitApiKey';
  readonly apiKeyId: ApiKeyId;
  readonly by: 'customer' | 'staff';
  readonly at: string;
}

/** Hands a rotated key's place to its successor. */
export interface ReplaceApiKey {
  readonly type: 'ReplaceApiKey';
  readonly apiKeyId: ApiKeyId;
  readonly successorId: ApiKeyId;
  readonly at: string;
}

/** Gives the place of a key that ended back. */
export interface DismissApiKey {
  readonly type: 'DismissApiKey';
  readonly apiKeyId: ApiKeyId;
  readonly at: string;
}

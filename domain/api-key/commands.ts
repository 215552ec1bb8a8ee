import type { ApiKeyId } from '../../contracts/ids.ts';
import type { KeyRecord } from './state.ts';

/** `at` is the time of deciding, ISO 8601; the key's text was made, and hashed, by the caller. */
export type ApiKeyCommand = CreateApiKey | RotateApiKey | RevokeApiKey;

export interface CreateApiKey {
  readonly type: 'CreateApiKey';
  readonly record: KeyRecord;
  readonly rotatedFrom: ApiKeyId | null;
  readonly at: string;
}

export interface RotateApiKey {
  readonly type: 'RotateApiKey';
  /** What is new about the successor; the rest it takes over from this key. */
  readonly successor: Pick<KeyRecord, 'apiKeyId' | 'prefix' | 'last4' | 'hash'>;
  readonly graceEndsAt: string;
  readonly at: string;
}

export interface RevokeApiKey {
  readonly type: 'RevokeApiKey';
  readonly by: 'owner' | 'staff';
  readonly at: string;
}

import {
  apiKeyEvents,
  type ApiKeyEvent,
  type KeyRecord as KeyRecordSchema,
  type Scope,
} from '../contracts/events/api-key.ts';
import type { AccountId, ApiKeyId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import type { Static } from '../contracts/schema.ts';
import { decideBy, type CommandsOf, type Decider, type Rules } from './kit/decider.ts';
import { tooLate } from './kit/record.ts';

export type KeyRecord = Static<typeof KeyRecordSchema>;

interface KeyFacts {
  readonly record: KeyRecord;
  readonly createdAt: string;
}

/**
 * One API key, from its issue to its end.
 *
 * | state   | event         | next    | the key is accepted           |
 * |---------|---------------|---------|-------------------------------|
 * | none    | ApiKeyCreated | active  | until it expires              |
 * | active  | ApiKeyRotated | rotated | until the grace period ends   |
 * | active  | ApiKeyRevoked | revoked | no longer                     |
 * | rotated | ApiKeyRevoked | revoked | no longer                     |
 *
 * ApiKeyWithdrawn: its reservation was released for another key before it was created, so it can no longer be.
 */
export type ApiKey =
  | { readonly status: 'none'; readonly isWithdrawn?: true }
  | ({ readonly status: 'active' } & KeyFacts)
  | ({ readonly status: 'rotated'; readonly successor: KeyRecord; readonly graceEndsAt: string } & KeyFacts)
  | ({ readonly status: 'revoked'; readonly revokedAt: string; readonly successor?: KeyRecord } & KeyFacts);

export type ApiKeyCommand = CommandsOf<{
  /** The key's text was generated, and hashed, by the caller. */
  CreateApiKey: { record: KeyRecord; rotatedFrom: ApiKeyId | null };
  /** `successor`: the fields that differ; it inherits the rest from this key. */
  RotateApiKey: { successor: Pick<KeyRecord, 'apiKeyId' | 'prefix' | 'last4' | 'hash'>; graceEndsAt: string };
  RevokeApiKey: { by: 'owner' | 'staff' };
  WithdrawApiKey: { apiKeyId: ApiKeyId; accountId: AccountId };
}>;

const rules: Rules<ApiKey, ApiKeyCommand, ApiKeyEvent> = {
  /** Idempotent, so that any process can finish a rotation that a crash interrupted. */
  CreateApiKey(state, { record, rotatedFrom, at }) {
    if (state.status === 'none' && state.isWithdrawn) throw tooLate();
    if (state.status === 'none') return [{ type: 'ApiKeyCreated', data: { ...record, rotatedFrom, at } }];
    if (state.record.hash === record.hash) return [];
    throw refuse('conflict', 'The key already exists.');
  },
  /**
   * The successor inherits name, scopes and expiry, so that a rotation neither widens a key nor lengthens its life. For
   * the same reason the grace period ends no later than the key itself would have.
   */
  RotateApiKey(state, { successor, graceEndsAt, at }) {
    if (state.status === 'none') throw refuse('not-found');
    if (state.status !== 'active') throw refuse('conflict', `The key is already ${state.status}.`);
    if (validityAt(state, new Date(at)) === 'expired') throw refuse('conflict', 'The key has expired.');
    const { apiKeyId, expiresAt } = state.record;
    const ends = expiresAt === null ? graceEndsAt : earlier(expiresAt, graceEndsAt);
    const data = { apiKeyId, successor: { ...state.record, ...successor }, graceEndsAt: ends, at };
    return [{ type: 'ApiKeyRotated', data }];
  },
  RevokeApiKey(state, { by, at }) {
    if (state.status === 'none') throw refuse('not-found');
    if (state.status === 'revoked') return [];
    const { apiKeyId, accountId, name } = state.record;
    return [{ type: 'ApiKeyRevoked', data: { apiKeyId, accountId, name, by, at } }];
  },
  WithdrawApiKey: (state, { apiKeyId, accountId, at }) =>
    state.status === 'none' && !state.isWithdrawn
      ? [{ type: 'ApiKeyWithdrawn', data: { apiKeyId, accountId, at } }]
      : [],
};

export const apiKey: Decider<ApiKey, ApiKeyCommand, ApiKeyEvent> = {
  category: apiKeyEvents,
  initialState: { status: 'none' },
  decide: decideBy(rules),
  evolve,
};

const earlier = (one: string, other: string): string => (Date.parse(one) <= Date.parse(other) ? one : other);

function evolve(state: ApiKey, { type, data }: ApiKeyEvent): ApiKey {
  if (type === 'ApiKeyCreated') {
    if (state.status !== 'none' || state.isWithdrawn) return state;
    const { rotatedFrom: _, at, ...record } = data;
    return { status: 'active', record, createdAt: at };
  }
  if (type === 'ApiKeyWithdrawn')
    return state.status === 'none' ? { status: 'none', isWithdrawn: true } : state;
  if (state.status === 'none' || state.status === 'revoked') return state;
  const { record, createdAt } = state;
  switch (type) {
    case 'ApiKeyRotated': {
      const { successor, graceEndsAt } = data;
      return { status: 'rotated', record, createdAt, successor, graceEndsAt };
    }
    case 'ApiKeyRevoked': {
      const successor = successorOf(state);
      return { status: 'revoked', record, createdAt, revokedAt: data.at, ...(successor && { successor }) };
    }
  }
}

/** The key's successor, which a revocation does not change. */
export const successorOf = (key: ApiKey): KeyRecord | undefined =>
  'successor' in key ? key.successor : undefined;

/** Whether a key is accepted at a given time: only if it is `active`. From the instant it expires it is `expired`. */
export type KeyValidity = 'unknown' | 'active' | 'expired' | 'revoked';

export function validityAt(key: ApiKey, now: Date): KeyValidity {
  switch (key.status) {
    case 'none':
      return 'unknown';
    case 'revoked':
      return 'revoked';
    case 'rotated':
      return isPast(key.graceEndsAt, now) ? 'expired' : 'active';
    case 'active':
      return isPast(key.record.expiresAt, now) ? 'expired' : 'active';
  }
}

const isPast = (time: string | null, now: Date): boolean =>
  time !== null && Date.parse(time) <= now.getTime();

/** The scopes that a key with a given scope may grant: a broad scope covers its granular one. */
const grantable: Record<Scope, readonly Scope[]> = {
  read: ['read', 'read:sessions'],
  write: ['write', 'write:sessions'],
  'read:sessions': ['read:sessions'],
  'write:sessions': ['write:sessions'],
  account_owner: ['account_owner'],
};

/** The requested scopes that the held ones may not grant. */
export function scopesBeyond(requested: readonly Scope[], held: readonly Scope[]): Scope[] {
  const allowed = new Set(held.flatMap((scope) => grantable[scope]));
  return requested.filter((scope) => !allowed.has(scope));
}

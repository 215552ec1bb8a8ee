import type { ApiKeyEvent } from '../../contracts/events/api-key.ts';
import { refuse } from '../../contracts/problems.ts';
import type { ApiKeyCommand, CreateApiKey, RevokeApiKey, RotateApiKey } from './commands.ts';
import { standing, type ApiKey } from './state.ts';

type Decision = readonly ApiKeyEvent[];

export function decide(command: ApiKeyCommand, state: ApiKey): Decision {
  switch (command.type) {
    case 'CreateApiKey':
      return createApiKey(state, command);
    case 'RotateApiKey':
      return rotateApiKey(state, command);
    case 'RevokeApiKey':
      return revokeApiKey(state, command);
  }
}

/** The same key again is nothing new: a rotation cut short is finished by whoever finds it. */
function createApiKey(state: ApiKey, { record, rotatedFrom, at }: CreateApiKey): Decision {
  if (state.status === 'none') return [{ type: 'ApiKeyCreated', data: { ...record, rotatedFrom, at } }];
  if (state.record.hash === record.hash) return [];
  throw refuse('conflict', 'The key exists already.');
}

/**
 * The successor takes over name, scopes and expiry, so a rotation neither widens a key nor lengthens its life; for the
 * same reason the grace ends no later than the key itself would have.
 */
function rotateApiKey(state: ApiKey, { successor, graceEndsAt, at }: RotateApiKey): Decision {
  if (state.status === 'none') throw refuse('not-found');
  if (state.status !== 'active') throw refuse('conflict', `The key is ${state.status} already.`);
  if (standing(state, new Date(at)) === 'expired') throw refuse('conflict', 'The key has expired.');
  const { apiKeyId, expiresAt } = state.record;
  const ends = expiresAt === null ? graceEndsAt : earlier(expiresAt, graceEndsAt);
  return [
    {
      type: 'ApiKeyRotated',
      data: { apiKeyId, successor: { ...state.record, ...successor }, graceEndsAt: ends, at },
    },
  ];
}

function revokeApiKey(state: ApiKey, { by, at }: RevokeApiKey): Decision {
  if (state.status === 'none') throw refuse('not-found');
  if (state.status === 'revoked') return [];
  const { apiKeyId, accountId, name } = state.record;
  return [{ type: 'ApiKeyRevoked', data: { apiKeyId, accountId, name, by, at } }];
}

const earlier = (one: string, other: string): string => (Date.parse(one) <= Date.parse(other) ? one : other);

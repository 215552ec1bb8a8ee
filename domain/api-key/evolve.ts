import type { ApiKeyEvent } from '../../contracts/events/api-key.ts';
import type { ApiKey } from './state.ts';

/** An event that does not fit the status (none is ever decided) leaves the state as it was: a revoked key stays revoked. */
export function evolve(state: ApiKey, { type, data }: ApiKeyEvent): ApiKey {
  if (type === 'ApiKeyCreated') {
    if (state.status !== 'none') return state;
    const { rotatedFrom: _, at, ...record } = data;
    return { status: 'active', record, createdAt: at };
  }
  if (state.status === 'none' || state.status === 'revoked') return state;
  const { record, createdAt } = state;
  switch (type) {
    case 'ApiKeyRotated':
      return {
        status: 'rotated',
        record,
        createdAt,
        successor: data.successor,
        graceEndsAt: data.graceEndsAt,
      };
    case 'ApiKeyRevoked':
      return { status: 'revoked', record, createdAt, revokedAt: data.at };
  }
}

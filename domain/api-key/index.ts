import { apiKeyEvents, type ApiKeyEvent } from '../../contracts/events/api-key.ts';
import type { Decider } from '../kit/decider.ts';
import type { ApiKeyCommand } from './commands.ts';
import { decide } from './decide.ts';
import { evolve } from './evolve.ts';
import { noKey, type ApiKey } from './state.ts';

/** One key from issue to its end: active → rotated (works through its grace) or revoked. */
export const apiKey: Decider<ApiKey, ApiKeyCommand, ApiKeyEvent> = {
  category: apiKeyEvents,
  initialState: noKey,
  decide,
  evolve,
};

export { beyond } from './scopes.ts';
export { standing, type ApiKey, type KeyRecord, type Standing } from './state.ts';
export type * from './commands.ts';

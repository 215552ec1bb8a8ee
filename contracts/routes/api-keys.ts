import type { Route } from '../route.ts';
import * as apiKey from '../resources/api-key.ts';
import { area, created, idParam, noContent, ok } from './rows.ts';

const params = idParam('`key_<uuid>`');
const { write, list, detail } = area({
  tag: 'API keys',
  reads: ['account_owner'],
  writes: ['account_owner'],
  readRole: 'admin',
});

export const apiKeyRoutes = [
  write('POST /v1/api-keys', 'api-keys.create', {
    summary: 'Create an API key; the key itself is shown once',
    stepUp: true,
    body: apiKey.CreateApiKey,
    success: created(apiKey.IssuedApiKey, 'The key, shown in plain text only once.'),
    problems: ['conflict', 'tier-limit'],
  }),
  list('/v1/api-keys', 'api-keys.list', apiKey.ApiKey, {
    summary: 'List API keys, newest first',
    answer: 'A page of keys, masked.',
  }),
  ...detail('/v1/api-keys/{id}', 'api-keys', apiKey.ApiKey, 'API key', { params }),
  write('POST /v1/api-keys/{id}/rotate', 'api-keys.rotate', {
    summary: 'Replace a key; the old one works for the grace window',
    stepUp: true,
    params,
    body: apiKey.RotateApiKey,
    bodyRequired: false,
    success: ok(apiKey.RotatedApiKey, 'The new key, shown in plain text only once.'),
    problems: ['not-found', 'conflict'],
  }),
  write('DELETE /v1/api-keys/{id}', 'api-keys.revoke', {
    summary: 'Revoke a key at once; idempotent',
    params,
    success: noContent('The key is revoked.'),
    problems: ['not-found', 'conflict'],
  }),
] as const satisfies readonly Route[];

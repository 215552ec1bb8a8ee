import { Type } from '../schema.ts';
import type { Route } from '../route.ts';
import * as apiKey from '../resources/api-key.ts';
import { readsOf, writesOf } from './defaults.ts';
import { ListQuery, page } from './paging.ts';

const KeyParam = { id: Type.String({ description: '`key_<uuid>`' }) };

const writes = writesOf('API keys', ['account_owner']);
const reads = readsOf('API keys', ['account_owner']);

export const apiKeyRoutes = [
  {
    ...writes,
    id: 'api-keys.create',
    method: 'POST',
    path: '/v1/api-keys',
    summary: 'Create an API key; the key itself is shown once',
    body: apiKey.CreateApiKey,
    bodyRequired: true,
    success: { status: 201, body: apiKey.IssuedApiKey, description: 'The key, in plain text this once.' },
    problems: ['conflict', 'tier-limit'],
  },
  {
    ...reads,
    id: 'api-keys.list',
    method: 'GET',
    path: '/v1/api-keys',
    summary: 'List API keys, newest first',
    query: ListQuery,
    success: { status: 200, body: page(apiKey.ApiKey), description: 'A page of keys, masked.' },
    problems: ['bad-request'],
  },
  {
    ...writes,
    id: 'api-keys.rotate',
    method: 'POST',
    path: '/v1/api-keys/{id}/rotate',
    summary: 'Replace a key; the old one works for the grace window',
    params: KeyParam,
    body: apiKey.RotateApiKey,
    success: {
      status: 200,
      body: apiKey.RotatedApiKey,
      description: 'The new key, in plain text this once.',
    },
    problems: ['not-found', 'conflict'],
  },
  {
    ...writes,
    id: 'api-keys.revoke',
    method: 'DELETE',
    path: '/v1/api-keys/{id}',
    summary: 'Revoke a key at once; idempotent',
    params: KeyParam,
    success: { status: 204, body: null, description: 'The key is revoked.' },
    problems: ['not-found', 'conflict'],
  },
] as const satisfies readonly Route[];

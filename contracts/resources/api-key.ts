import { Type, Timestamp, closed, notBlank, nullable, oneOf, requestBody, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { scopes } from '../events/api-key.ts';

export const CreateApiKey = requestBody({
  name: Type.String({ minLength: 1, maxLength: 120, pattern: notBlank }),
  scopes: Type.Optional(Type.Array(oneOf(scopes), { minItems: 1, uniqueItems: true })),
  expires_at: Type.Optional(nullable(Timestamp)),
});
export type CreateApiKey = Static<typeof CreateApiKey>;

export const RotateApiKey = requestBody({});

export const keyStatuses = ['active', 'rotated', 'expired', 'revoked'] as const;

export const ApiKey = closed({
  id: idSchema('apiKey'),
  name: Type.String(),
  prefix: Type.String(),
  last4: Type.String(),
  scopes: Type.Array(oneOf(scopes)),
  status: oneOf(keyStatuses),
  created_at: Timestamp,
  expires_at: nullable(Timestamp),
  revoked_at: nullable(Timestamp),
  last_used_at: nullable(Timestamp),
});
export type ApiKey = Static<typeof ApiKey>;

export const IssuedApiKey = closed({ ...ApiKey.properties, key: Type.String() });
export type IssuedApiKey = Static<typeof IssuedApiKey>;

export const RotatedApiKey = closed({
  ...IssuedApiKey.properties,
  previous: closed({ id: idSchema('apiKey'), expires_at: Timestamp }),
});
export type RotatedApiKey = Static<typeof RotatedApiKey>;

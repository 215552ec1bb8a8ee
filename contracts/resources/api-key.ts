import { Type, Timestamp, closed, nullable, oneOf, requestBody, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { scopes } from '../events/api-key.ts';
import { textForms } from '../text-forms.ts';
import { Creator } from './creator.ts';

export const CreateApiKey = requestBody({
  name: Type.String({ minLength: 1, maxLength: 120, pattern: textForms.notBlank.pattern }),
  scopes: Type.Optional(Type.Array(oneOf(scopes), { minItems: 1, uniqueItems: true })),
  expires_at: Type.Optional(nullable(Timestamp)),
});

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
  created_by: nullable(Creator),
});
export type ApiKey = Static<typeof ApiKey>;

export const IssuedApiKey = closed({ ...ApiKey.properties, key: Type.String() });
export type IssuedApiKey = Static<typeof IssuedApiKey>;

export const RotatedApiKey = closed({
  ...IssuedApiKey.properties,
  previous: closed({ id: idSchema('apiKey'), expires_at: Timestamp }),
});

/** Whether and how a key has ended at that time. It is `expired` from the instant it expires. */
export function keyEnd(
  { revoked_at, expires_at }: Pick<ApiKey, 'revoked_at' | 'expires_at'>,
  now: Date,
): 'revoked' | 'expired' | undefined {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= now.getTime() ? 'expired' : undefined;
}

/** A stored key; its status follows from it and the time. */
type StoredApiKey = Omit<ApiKey, 'status'> & { readonly rotated_to: string | null };

export const presentApiKey = (key: StoredApiKey, now: Date): ApiKey => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  last4: key.last4,
  scopes: key.scopes,
  status: keyEnd(key, now) ?? (key.rotated_to === null ? 'active' : 'rotated'),
  created_at: key.created_at,
  expires_at: key.expires_at,
  revoked_at: key.revoked_at,
  last_used_at: key.last_used_at,
  created_by: key.created_by,
});

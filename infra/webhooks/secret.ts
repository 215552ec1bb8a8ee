import { randomBytes } from 'node:crypto';

/** A new signing secret: `whsec_` and 32 random bytes in base64url. The whole text keys the HMAC. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;

/** The vault's field that a secret is sealed under: what is sealed for one secret opens as no other. */
export const secretField = (secretId: string): string => `webhook-secret ${secretId}`;

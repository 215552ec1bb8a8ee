import { createHmac, randomBytes } from 'node:crypto';
import { markedSecrets } from '../../contracts/secret-forms.ts';

/** A new signing secret: `whsec_` and 32 random bytes in base64url. The whole text is the key of the HMAC. */
export const newWebhookSecret = (): string =>
  markedSecrets.webhookSecret.marker + randomBytes(32).toString('base64url');

/** The vault's field of a secret, so that it cannot be moved to another. */
export const secretField = (secretId: string): string => `webhook-secret ${secretId}`;

/**
 * `t=<unix seconds>,v1=<hex>[,v1=<hex>]`: for each secret the HMAC-SHA-256 of `<t>.<body>`, keyed by the secret's text. `at`:
 * time of sending.
 */
export function signatureHeader(body: Buffer, secrets: readonly string[], at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`,
  );
  return [`t=${seconds}`, ...signatures].join();
}

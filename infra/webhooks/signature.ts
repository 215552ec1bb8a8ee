import { createHmac } from 'node:crypto';

/**
 * `t=<unix seconds>,v1=<hex>[,v1=<hex>]`: for each secret the HMAC-SHA-256 of `<t>.<body>`, keyed by the secret's text.
 * `at` is the time of sending.
 */
export function signatureHeader(body: Buffer, secrets: readonly string[], at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`,
  );
  return [`t=${seconds}`, ...signatures].join();
}

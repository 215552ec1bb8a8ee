import { createHmac, randomUUID } from 'node:crypto';
import { toId, type ApiKeyId } from '../../contracts/ids.ts';
import { markedSecrets } from '../../contracts/secret-forms.ts';
import { sameSecret } from '../platform/presented-secrets.ts';
import { randomBase62 } from './base62.ts';
import { byEach, type Peppers } from './peppers.ts';
import { tokenForm } from './token-form.ts';

export { keyedDigest, keyedUuid } from './keyed-uuid.ts';
export { byEach, createPeppers, onlyPepper, type Peppers } from './peppers.ts';

/** Format of an API key: `svc_live_<id><secret><checksum>`; the secret has 32 random digits (190 bits). */
const form = tokenForm('apiKey', 32);
const shownOfId = markedSecrets.apiKey.marker.length + 8;

/** A new key: `text` is the whole key, shown once and not stored; `prefix` contains no part of the secret. */
export function issueApiKey() {
  const uuid = randomUUID();
  const text = form.write(uuid, randomBase62(32));
  return { id: toId('apiKey', uuid), text, prefix: text.slice(0, shownOfId), last4: text.slice(-4) };
}

/** The id in a well-formed key with a valid checksum; the key need not exist. */
export function parseApiKey(text: string): { readonly apiKeyId: ApiKeyId } | 'malformed' {
  const read = form.read(text);
  return read === undefined ? 'malformed' : { apiKeyId: toId('apiKey', read.uuid) };
}

/** HMAC-SHA-256 of the whole key under a pepper, hex: stored instead of the key. */
export const hashApiKey = (text: string, pepper: string): string =>
  createHmac('sha256', pepper).update(text).digest('hex');

/** Compares a key with a stored hash, in constant time over all peppers. */
export function matchesApiKey(text: string, peppers: Pick<Peppers, 'known'>, storedHash: string): boolean {
  const isSame = (pepper: string): boolean => sameSecret(hashApiKey(text, pepper), storedHash);
  return byEach(peppers, isSame).includes(true);
}

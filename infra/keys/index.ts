import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { toId, uuidOf, type ApiKeyId } from '../../contracts/ids.ts';
import { fromBase62, randomBase62, toBase62 } from './base62.ts';

export { keyedUuid } from './keyed-uuid.ts';

/**
 * An API key reads `svc_live_<id><secret><checksum>`, all base-62: 22 digits of the key's uuid, so that it is looked up
 * and never searched for; 32 random digits (190 bits); 6 digits of CRC-32 over everything before them, so that a typing
 * error or a leaked key is recognised without asking a database.
 */
const marker = 'svc_live_';
const idLength = 22;
const secretLength = 32;
const checksumLength = 6;
const shape = new RegExp(`^${marker}[0-9A-Za-z]{${idLength + secretLength + checksumLength}}$`);
const largestUuid = (1n << 128n) - 1n;

export interface IssuedKeyText {
  readonly id: ApiKeyId;
  /** The whole key: shown once, never stored. */
  readonly text: string;
  /** The part that may be shown afterwards; holds nothing of the secret. */
  readonly prefix: string;
  readonly last4: string;
}

const checksum = (text: string): string => toBase62(BigInt(crc32(text)), checksumLength);

export function issueApiKey(): IssuedKeyText {
  const id = toId('apiKey', randomUUID());
  const encodedId = toBase62(BigInt(`0x${uuidOf(id).replaceAll('-', '')}`), idLength);
  const body = marker + encodedId + randomBase62(secretLength);
  const text = body + checksum(body);
  return { id, text, prefix: marker + encodedId.slice(0, 8), last4: text.slice(-4) };
}

/** The id inside a key that is well formed and whose checksum holds; says nothing about whether the key exists. */
export function parseApiKey(text: string): { readonly apiKeyId: ApiKeyId } | 'malformed' {
  if (!shape.test(text)) return 'malformed';
  const body = text.slice(0, -checksumLength);
  if (checksum(body) !== text.slice(-checksumLength)) return 'malformed';
  const id = fromBase62(body.slice(marker.length, marker.length + idLength));
  if (id === undefined || id > largestUuid) return 'malformed';
  const hex = id.toString(16).padStart(32, '0');
  const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { apiKeyId: toId('apiKey', uuid) };
}

/** HMAC-SHA-256 of the whole key under the deployment's pepper, hex: what is stored in the key's place. */
export const hashApiKey = (text: string, pepper: string): string =>
  createHmac('sha256', pepper).update(text).digest('hex');

/** Compares a presented key with a stored hash in constant time. */
export function matchesApiKey(text: string, pepper: string, storedHash: string): boolean {
  const presented = Buffer.from(hashApiKey(text, pepper), 'hex');
  const stored = Buffer.from(storedHash, 'hex');
  return presented.length === stored.length && timingSafeEqual(presented, stored);
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyList } from '../platform/key-list.ts';

const algorithm = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;
/** Nonces that are drawn together: to draw each alone takes a third of the time of an encryption. */
const drawnAtOnce = 256;

let drawn = Buffer.alloc(0);

/** Random, and used once. */
function newNonce(): Buffer {
  if (drawn.length === 0) drawn = randomBytes(ivLength * drawnAtOnce);
  const nonce = drawn.subarray(0, ivLength);
  drawn = drawn.subarray(ivLength);
  return nonce;
}

/** AES-256-GCM: 12 bytes of random nonce, the ciphertext, 16 bytes of tag. `context` must be the same for decryption. */
export function encrypt(key: Buffer, plain: Buffer, context: string): Buffer {
  const iv = newNonce();
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagLength });
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Throws for another key or context, and for changed data. */
export function decrypt(key: Buffer, sealed: Buffer, context: string): Buffer {
  if (sealed.length < ivLength + tagLength) throw new Error('The sealed value is cut short.');
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivLength), {
    authTagLength: tagLength,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-tagLength));
  return Buffer.concat([decipher.update(sealed.subarray(ivLength, -tagLength)), decipher.final()]);
}

/** The same, with any of the keys. */
export function decryptByAny([key, ...others]: KeyList<Buffer>, sealed: Buffer, context: string): Buffer {
  const [next, ...rest] = others;
  if (next === undefined) return decrypt(key, sealed, context);
  try {
    return decrypt(key, sealed, context);
  } catch {
    return decryptByAny([next, ...rest], sealed, context);
  }
}

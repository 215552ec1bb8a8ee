import { createHash, generateKeyPairSync, sign } from 'node:crypto';

/** RFC 6962, section 2.1, implemented literally: recursive, over the bytes of the leaves. */
export const leafHash = (leaf: Uint8Array): Buffer => sha256(Buffer.of(0), leaf);
export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Buffer.of(1), left, right);
const sha256 = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();

/** The largest power of two below `n`. */
const split = (n: number): number => 2 ** (31 - Math.clz32(n - 1));

export function treeHash(leaves: readonly Uint8Array[]): Buffer {
  const [first] = leaves;
  if (first === undefined) return sha256();
  if (leaves.length === 1) return leafHash(first);
  const k = split(leaves.length);
  return nodeHash(treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k)));
}

export function inclusionPath(index: number, leaves: readonly Uint8Array[]): Buffer[] {
  if (leaves.length === 1) return [];
  const k = split(leaves.length);
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return index < k
    ? [...inclusionPath(index, left), treeHash(right)]
    : [...inclusionPath(index - k, right), treeHash(left)];
}

export function consistencyPath(from: number, leaves: readonly Uint8Array[], isWhole = true): Buffer[] {
  if (from === leaves.length) return isWhole ? [] : [treeHash(leaves)];
  const k = split(leaves.length);
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return from <= k
    ? [...consistencyPath(from, left, isWhole), treeHash(right)]
    : [...consistencyPath(from - k, right, false), treeHash(left)];
}

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** A key with this name, and a function that signs notes with it. */
export function noteSigner(name: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const key = Buffer.concat([Buffer.of(1), raw]);
  const id = sha256(Buffer.from(`${name}\n`), key).subarray(0, 4);
  const note = (text: string): string =>
    `${text}\n\u2014 ${name} ${base64(Buffer.concat([id, sign(null, Buffer.from(text), privateKey)]))}\n`;
  return { vkey: `${name}+${id.toString('hex')}+${base64(key)}`, note };
}

import { createHash, createPublicKey, sign, type KeyObject } from 'node:crypto';

/** Notes in the format of c2sp.org/signed-note, and checkpoints in that of c2sp.org/tlog-checkpoint. */

const sha256 = (...parts: readonly Uint8Array[]): Buffer =>
  createHash('sha256').update(Buffer.concat(parts)).digest();

/** The type byte of Ed25519 keys. */
const ed25519 = Buffer.of(1);

/** A signing key. The name contains neither white space nor a plus sign. */
export interface NamedKey {
  readonly name: string;
  readonly privateKey: KeyObject;
}

function published({ name, privateKey }: NamedKey) {
  const raw = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);
  const key = Buffer.concat([ed25519, raw]);
  return { key, id: sha256(Buffer.from(`${name}\n`), key).subarray(0, 4) };
}

/** The verifier key: `<name>+<id, hex>+<base64 of algorithm and public key>`. */
export function vkeyOf(named: NamedKey): string {
  const { key, id } = published(named);
  return `${named.name}+${id.toString('hex')}+${key.toString('base64')}`;
}

/** A note of these lines, signed by the key. No line may be empty. */
export function signedNote(lines: readonly string[], named: NamedKey): string {
  const text = lines.map((line) => `${line}\n`).join('');
  const signature = Buffer.concat([published(named).id, sign(null, Buffer.from(text), named.privateKey)]);
  return `${text}\n\u2014 ${named.name} ${signature.toString('base64')}\n`;
}

/** The head of a tree, to be signed. */
export interface SignedHead {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

/** The lines of a checkpoint; `more` follow the standard ones. */
export const checkpointLines = (
  { origin, size, root }: SignedHead,
  more: readonly string[] = [],
): string[] => [origin, String(size), root.toString('base64'), ...more];

/** The further line of a checkpoint of a new origin that names the last head of the origin before it; `root` in base64. */
export const followsLine = ({
  origin,
  size,
  root,
}: Omit<SignedHead, 'root'> & { readonly root: string }): string => `follows ${origin} ${size} ${root}`;

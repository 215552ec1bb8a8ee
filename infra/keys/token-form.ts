import { crc32 } from 'node:zlib';
import { markedSecrets } from '../../contracts/secret-forms.ts';
import { fromBase62, toBase62 } from './base62.ts';

/**
 * The format of issued secrets, in base 62: a marker of its kind; 22 digits of its subject's uuid, for direct look-up; the
 * secret; 6 digits of CRC-32 over everything before, so that a typing error, or a leaked secret, is recognised without a
 * database.
 */
export interface TokenForm {
  readonly write: (uuid: string, secret: string) => string;
  /** Undefined for an invalid text; the token need not be valid. */
  readonly read: (text: string) => { readonly uuid: string; readonly secret: string } | undefined;
}

const idLength = 22;
const checksumLength = 6;
const largestUuid = (1n << 128n) - 1n;

const checksum = (text: string): string => toBase62(BigInt(crc32(text)), checksumLength);

/** Secrets in this format. */
type TokenName = 'apiKey' | 'refreshToken' | 'deviceCode' | 'oneTimeToken';

export function tokenForm(name: TokenName, secretLength: number): TokenForm {
  const { marker } = markedSecrets[name];
  const shape = new RegExp(`^${marker}[0-9A-Za-z]{${idLength + secretLength + checksumLength}}$`);
  return {
    write(uuid, secret) {
      const body = marker + toBase62(BigInt(`0x${uuid.replaceAll('-', '')}`), idLength) + secret;
      return body + checksum(body);
    },
    read(text) {
      if (!shape.test(text)) return undefined;
      const body = text.slice(0, -checksumLength);
      if (checksum(body) !== text.slice(-checksumLength)) return undefined;
      const id = fromBase62(body.slice(marker.length, marker.length + idLength));
      if (id === undefined || id > largestUuid) return undefined;
      const hex = id.toString(16).padStart(32, '0');
      const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      return { uuid, secret: body.slice(marker.length + idLength) };
    },
  };
}

import { createHmac } from 'node:crypto';

/**
 * A uuid (version 8, RFC 9562) derived from a text and a pepper, always the same: for names of streams that must not reveal the
 * text, such as a mail address.
 */
export function keyedUuid(text: string, pepper: string): string {
  const bytes = createHmac('sha256', pepper).update(`uuid\0${text}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** HMAC-SHA-256 under a pepper, hex: equal only for equal texts, and useless for guessing without the pepper. */
export const keyedDigest = (text: string, pepper: string): string =>
  createHmac('sha256', pepper).update(`digest\0${text}`).digest('hex');

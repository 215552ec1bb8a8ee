import { createHmac } from 'node:crypto';
import { userCodeAlphabet as alphabet } from '../../contracts/secret-forms.ts';
import { keyedUuid } from './keyed-uuid.ts';
import { randomBase62 } from './base62.ts';
import { randomDigits } from './random-digits.ts';
import { tokenForm } from './token-form.ts';

const groupLength = 4;
const shape = new RegExp(`^[${alphabet}]{${2 * groupLength}}$`, 'i');

/** Format of a device code: `svc_device_<grant><32 random digits><checksum>`. */
const form = tokenForm('deviceCode', 32);

const grantOf = (letters: string, pepper: string): string => keyedUuid(`user code\0${letters}`, pepper);

/** A code for people to type, `BCDF-GHJK` (34 bits), and the uuid of its grant. */
export function issueUserCode(pepper: string): { readonly userCode: string; readonly grant: string } {
  const letters = randomDigits(alphabet, 2 * groupLength);
  const userCode = `${letters.slice(0, groupLength)}-${letters.slice(groupLength)}`;
  return { userCode, grant: grantOf(letters, pepper) };
}

/** The uuid of a user code's grant, ignoring spelling; undefined for an invalid code. */
export function grantOfUserCode(text: string, pepper: string): string | undefined {
  const letters = text.replaceAll(/[\s-]/g, '');
  return shape.test(letters) ? grantOf(letters.toUpperCase(), pepper) : undefined;
}

/** @param grant a uuid */
export const newDeviceCode = (grant: string): string => form.write(grant, randomBase62(32));

/** The uuid of a device code's grant; undefined for an invalid code. */
export const grantOfDeviceCode = (text: string): string | undefined => form.read(text)?.uuid;

/** HMAC-SHA-256 of the whole code, hex: stored instead of it. */
export const hashDeviceCode = (text: string, pepper: string): string =>
  createHmac('sha256', pepper).update(`device code\0${text}`).digest('hex');

import { createHmac } from 'node:crypto';
import { userCodeAlphabet as alphabet } from '../../contracts/secret-forms.ts';
import { keyedUuid } from './keyed-uuid.ts';
import { randomBase62 } from './base62.ts';
import { randomDigits } from './random-digits.ts';
import { tokenForm } from './token-form.ts';

const groupLength = 4;
const shape = new RegExp(`^[${alphabet}]{${2 * groupLength}}$`, 'i');

/** A device code reads `svc_device_<grant><32 random digits><checksum>`. */
const form = tokenForm('deviceCode', 32);

const grantOf = (letters: string, pepper: string): string => keyedUuid(`user code\0${letters}`, pepper);

/** What a person types, `BCDF-GHJK` (34 bits), with the uuid of the grant that it leads to. */
export function issueUserCode(pepper: string): { readonly userCode: string; readonly grant: string } {
  const letters = randomDigits(alphabet, 2 * groupLength);
  const userCode = `${letters.slice(0, groupLength)}-${letters.slice(groupLength)}`;
  return { userCode, grant: grantOf(letters, pepper) };
}

/** The uuid of the grant that a user code leads to, however it is written; undefined when it never was one. */
export function grantOfUserCode(text: string, pepper: string): string | undefined {
  const letters = text.replaceAll(/[\s-]/g, '');
  return shape.test(letters) ? grantOf(letters.toUpperCase(), pepper) : undefined;
}

/** @param grant a uuid */
export const newDeviceCode = (grant: string): string => form.write(grant, randomBase62(32));

/** The uuid of the grant that a device code names; undefined when it never was one. */
export const grantOfDeviceCode = (text: string): string | undefined => form.read(text)?.uuid;

/** HMAC-SHA-256 of the whole code, hex: what is stored in its place. */
export const hashDeviceCode = (text: string, pepper: string): string =>
  createHmac('sha256', pepper).update(`device code\0${text}`).digest('hex');

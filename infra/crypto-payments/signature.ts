import { createHmac } from 'node:crypto';
import { sameSecret } from '../platform/presented-secrets.ts';
import { sortedJson, type ExactJson } from './exact-json.ts';

/** Header with a callback's signature. */
export const signatureHeader = 'x-nowpayments-sig';

/** Whether a text has the format of a signature. */
export const isSignature = (text: string): boolean => /^\s*[0-9a-f]{128}\s*$/i.test(text);

/** Numbers as sent, and as JavaScript re-serialises them: senders differ in which of them they sign. */
const forms: readonly ((digits: string) => string)[] = [
  (digits) => digits,
  (digits) => JSON.stringify(Number(digits)),
];

/** HMAC-SHA512, hex, over the JSON with sorted keys. */
export const signatureOf = (body: ExactJson, secret: string, form = forms[0]): string =>
  createHmac('sha512', secret)
    .update(sortedJson(body, form ?? String))
    .digest('hex');

/** True if a callback is signed with the secret. Constant-time. */
export const isSigned = (body: ExactJson, signature: string, secret: string): boolean =>
  forms
    .map((form) => sameSecret(signature.trim().toLowerCase(), signatureOf(body, secret, form)))
    .some((isEqual) => isEqual);

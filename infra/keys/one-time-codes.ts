import { createHmac } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { recoveryCodeAlphabet } from '../../contracts/secret-forms.ts';
import { randomDigits } from './random-digits.ts';

/** The defaults of authenticator apps: RFC 6238 with SHA-1, six digits, 30 seconds. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const sixDigits = /^[0-9]{6}$/;
/** Allowed clock drift in steps, each way. */
const drift = 1;
/** The length of a SHA-1 digest (RFC 4226, 4). */
const secretBytes = 20;

/** The name shown by an authenticator app. */
const issuer = 'Service';

const recoveryCodeCount = 10;
const recoveryHalf = 8;

const totp = (secret: string, label = ''): TOTP =>
  new TOTP({ ...parameters, issuer, label, secret: Secret.fromBase32(secret) });

/** Makes a secret in base 32, which people can type. */
export const newTotpSecret = (): string => new Secret({ size: secretBytes }).base32;

/** The URI for an app's QR code. */
export const totpUri = (secret: string, label: string): string => totp(secret, label).toString();

/** The time step of a code; null if it matches none near that time. */
export function totpStep(secret: string, code: string, time: Date): number | null {
  // The library throws for characters of more than one byte.
  if (!sixDigits.test(code)) return null;
  const timestamp = time.getTime();
  const delta = totp(secret).validate({ token: code, timestamp, window: drift });
  return delta === null ? null : Math.floor(timestamp / 1000 / parameters.period) + delta;
}

/** Two groups of eight characters, 79 bits: the stored hashes cannot be brute-forced. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodeCount }, () =>
    [recoveryHalf, recoveryHalf].map((length) => randomDigits(recoveryCodeAlphabet, length)).join('-'),
  );

/** HMAC-SHA-256, hex, of an account's recovery code, ignoring spelling. */
export const hashRecoveryCode = (accountId: string, code: string, pepper: string): string =>
  createHmac('sha256', pepper)
    .update(`recovery code\0${accountId}\0${code.toLowerCase().replaceAll(/[\s-]/g, '')}`)
    .digest('hex');

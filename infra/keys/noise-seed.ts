import { randomBytes } from 'node:crypto';

/** What a profile's noise derives from: 16 random bytes, base64url. */
export const newNoiseSeed = (): string => randomBytes(16).toString('base64url');

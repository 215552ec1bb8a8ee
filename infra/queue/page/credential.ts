import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Reads the header of HTTP Basic; undefined when there is none. Two credentials are compared without telling how alike they are. */
export function credentialIn(authorization: string | undefined): Buffer | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization ?? '') ?? [];
  return encoded === undefined ? undefined : digest(Buffer.from(encoded, 'base64').toString());
}

/** Whether a credential is that of this user with this password. */
export const isCredentialOf = (credential: Buffer, user: string, password: string): boolean =>
  timingSafeEqual(credential, digest(`${user}:${password}`));

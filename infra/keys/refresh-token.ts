import { createHmac } from 'node:crypto';
import { toId, uuidOf, type WebSessionId } from '../../contracts/ids.ts';
import { sameSecret } from '../platform/presented-secrets.ts';
import { fromBase62, toBase62 } from './base62.ts';
import { tokenForm } from './token-form.ts';

/**
 * Format of a refresh token: `svc_refresh_<session><generation><proof><checksum>`. The proof is an HMAC under the session's own
 * random seed, so that a generation's token can be derived again for a client that lost the answer, and none is stored.
 */
const generationLength = 6;
const proofLength = 32;
const form = tokenForm('refreshToken', generationLength + proofLength);
const proofs = 62n ** BigInt(proofLength);

export interface RefreshClaim {
  readonly webSessionId: WebSessionId;
  readonly generation: number;
}

const proofOf = ({ webSessionId, generation }: RefreshClaim, seed: string): string => {
  const bytes = createHmac('sha256', seed).update(`refresh\0${webSessionId}\0${generation}`).digest('hex');
  return toBase62(BigInt(`0x${bytes}`) % proofs, proofLength);
};

export const refreshToken = (claim: RefreshClaim, seed: string): string =>
  form.write(
    uuidOf(claim.webSessionId),
    toBase62(BigInt(claim.generation), generationLength) + proofOf(claim, seed),
  );

/** The unverified claim of a refresh token; undefined for an invalid text. */
export function readRefreshToken(text: string): RefreshClaim | undefined {
  const read = form.read(text);
  const generation = read && fromBase62(read.secret.slice(0, generationLength));
  if (read === undefined || generation === undefined) return undefined;
  return { webSessionId: toId('webSession', read.uuid), generation: Number(generation) };
}

/** Whether the text is the token of that session and generation; constant-time. */
export const isRefreshToken = (text: string, claim: RefreshClaim, seed: string): boolean =>
  sameSecret(text, refreshToken(claim, seed));

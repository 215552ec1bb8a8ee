import { createHmac } from 'node:crypto';
import { sameSecret } from '../platform/presented-secrets.ts';
import { toBase62 } from './base62.ts';
import type { Peppers } from './peppers.ts';
import { tokenForm } from './token-form.ts';

/** The purpose and subject of a token. `nonce` is not secret: it only makes each token unique. */
export interface TokenClaim {
  readonly purpose: string;
  /** The uuid of the stream that holds the nonce. */
  readonly subject: string;
  readonly nonce: string;
}

/**
 * Tokens in mailed links: `svc_once_<subject><proof><checksum>`. The proof is an HMAC of the claim under the newest pepper, so
 * that no token is stored, and the reaction to the event with the nonce can derive the same text. Single use, expiry and
 * replacement are decided by the subject's stream.
 */
export interface OneTimeTokens {
  textOf(claim: TokenClaim): string;
  /** The subject of a token; undefined for an invalid text. */
  subjectOf(text: string): string | undefined;
  /** Compares in constant time. */
  matches(text: string, claim: TokenClaim): boolean;
}

const proofLength = 32;
const proofs = 62n ** BigInt(proofLength);
const form = tokenForm('oneTimeToken', proofLength);

export function createOneTimeTokens({ newest, inUse }: Pick<Peppers, 'newest' | 'inUse'>): OneTimeTokens {
  const textBy = (pepper: string, { purpose, subject, nonce }: TokenClaim): string => {
    const claim = `one-time token\0${purpose}\0${subject}\0${nonce}`;
    const bytes = createHmac('sha256', pepper).update(claim).digest('hex');
    return form.write(subject, toBase62(BigInt(`0x${bytes}`) % proofs, proofLength));
  };
  return {
    textOf: (claim) => textBy(newest, claim),
    subjectOf: (text) => form.read(text)?.uuid,
    matches: (text, claim) => inUse.some((pepper) => sameSecret(text, textBy(pepper, claim))),
  };
}

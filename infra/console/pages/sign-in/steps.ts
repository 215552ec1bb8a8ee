import { auth, mfa, type SignedIn } from '../../../../contracts/client/index.ts';
import { takeNext } from '../../parts/next.ts';
import { addressOf } from '../../parts/places.ts';
import { entered, open } from '../../service.ts';

const MFA_TOKEN = 'console.mfa_token';

/** Handles the answer to a sign-in; returns the path of the next page. */
export function signedIn(answer: SignedIn): string {
  if ('mfa_token' in answer) {
    sessionStorage.setItem(MFA_TOKEN, answer.mfa_token);
    return addressOf('/mfa');
  }
  entered();
  return takeNext();
}

/** Completes the sign-in with a second-factor code. */
export async function secondStep(code: string): Promise<string> {
  const token = sessionStorage.getItem(MFA_TOKEN) ?? '';
  await mfa(open).login({ mfa_token: token, code });
  sessionStorage.removeItem(MFA_TOKEN);
  entered();
  return takeNext();
}

export const awaitsSecondStep = (): boolean => sessionStorage.getItem(MFA_TOKEN) !== null;

export const service = auth(open);

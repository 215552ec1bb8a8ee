import { auth, mfa, type SignedIn } from '../../../../contracts/client/index.ts';
import { takeNext } from '../../parts/next.ts';
import { addressOf } from '../../parts/places.ts';
import { enter, open } from '../../service.ts';

const MFA_TOKEN = 'console.mfa_token';

/** Handles the answer to a sign-in: opens the next page, by `route` if a second factor is required. */
export function signedIn(answer: SignedIn, route: (path: string) => void): void {
  if (!('mfa_token' in answer)) return enter(takeNext());
  sessionStorage.setItem(MFA_TOKEN, answer.mfa_token);
  route(addressOf('/mfa'));
}

/** Completes the sign-in with a second-factor code, and opens the next page. */
export async function secondStep(code: string): Promise<void> {
  const token = sessionStorage.getItem(MFA_TOKEN) ?? '';
  await mfa(open).login({ mfa_token: token, code });
  sessionStorage.removeItem(MFA_TOKEN);
  enter(takeNext());
}

export const awaitsSecondStep = (): boolean => sessionStorage.getItem(MFA_TOKEN) !== null;

export const service = auth(open);

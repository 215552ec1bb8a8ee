import { callOpen, entered } from './api.ts';

interface Signed {
  readonly mfa_required?: true;
  readonly mfa_token?: string;
}

const MFA_TOKEN = 'console.mfa_token';
const NEXT = 'console.next';

/** Where the reader goes once signed in: the page that sent them here, if it was one of ours. */
export function rememberNext(path: string): void {
  if (path.startsWith('/console/')) sessionStorage.setItem(NEXT, path);
}

function takeNext(): string {
  const next = sessionStorage.getItem(NEXT) ?? '/console/';
  sessionStorage.removeItem(NEXT);
  return next;
}

/** Signs in by what the route takes, and gives the page to go on with. Rejects with `Failed`. */
export async function signInBy(path: string, body: object): Promise<string> {
  const answer = await callOpen<Signed>('POST', path, body);
  if (answer.mfa_token !== undefined) {
    sessionStorage.setItem(MFA_TOKEN, answer.mfa_token);
    return '/console/mfa';
  }
  entered();
  return takeNext();
}

/** The second step, with a code. */
export async function secondStep(code: string): Promise<string> {
  const next = await signInBy('/v1/auth/mfa/login', {
    mfa_token: sessionStorage.getItem(MFA_TOKEN) ?? '',
    code,
  });
  sessionStorage.removeItem(MFA_TOKEN);
  return next;
}

export const awaitsSecondStep = (): boolean => sessionStorage.getItem(MFA_TOKEN) !== null;

import { signal } from '@preact/signals';
import { Connection, ServiceError, auth, type Fetch } from '../../contracts/client/index.ts';
import { forgetDrafts } from './parts/drafts.tsx';
import { tell } from './parts/live.ts';
import { forgetPlaces } from './parts/recent.ts';

const KEY = 'service_key';
const OWNER = 'console.owner';
const MINUTE_MS = 60_000;

/** API key of a user without a web session. Stored for this tab only. */
const key = sessionStorage.getItem(KEY) ?? undefined;

/** The team owner on whose account this tab acts; a new tab begins with the one chosen last. */
export const owner = sessionStorage.getItem(OWNER) ?? localStorage.getItem(OWNER) ?? undefined;

export const hasKey = key !== undefined;

/** Whether the browser is signed in, according to answers; undefined before the first one. */
export const isSignedIn = signal<boolean | undefined>(undefined);

const baseUrl = location.origin;

/** Connection without credentials. */
export const open = new Connection({ baseUrl });

/** Revision of the current terms, which the service writes into the page; empty if there are none. */
export const termsRevision =
  document.querySelector<HTMLMetaElement>('meta[name="terms-revision"]')?.content ?? '';

/** True once an answer has said that the account has to accept the current terms first. */
export const isTermsDue = signal(false);

/** Whether the answer has this status, and one of these problems. */
async function isProblem(answer: Response, status: number, ...slugs: readonly string[]): Promise<boolean> {
  if (answer.status !== status) return false;
  const { type } = (await answer
    .clone()
    .json()
    .catch(() => ({}))) as { readonly type?: unknown };
  return slugs.some((slug) => String(type).endsWith(`/${slug}`));
}

/** Whether the sign-in has ended. An invalid link, such as an invitation, and a wrong code of the second factor are a 401 too. */
const isSignedOut = async (answer: Response): Promise<boolean> =>
  answer.status === 401 && !(await isProblem(answer, 401, 'invalid-auth-token', 'invalid-credentials'));

const fetchSignedIn: Fetch = async (url, init) => {
  let response = await fetch(url, init);
  if (!hasKey && (await isSignedOut(response)) && (await refresh())) response = await fetch(url, init);
  if (await isSignedOut(response)) isSignedIn.value = false;
  else if (response.ok) isSignedIn.value = true;
  if (await isProblem(response, 403, 'legal-acceptance-required')) isTermsDue.value = true;
  // In a task of its own: by then the client knows the log position of this answer, so that the reads that follow include the change.
  if (response.ok && init.method !== 'GET') setTimeout(() => tell({ kind: 'changed' }));
  return response;
};

/** Connection of the signed-in user, for the account shown in the header. An expired access token is refreshed once. */
export const connection = new Connection({ baseUrl, apiKey: key, onAccountOf: owner, fetch: fetchSignedIn });

/** Local storage key of this browser's last refresh, in milliseconds since the epoch. */
const REFRESHED_AT = 'console.refreshed_at';

/**
 * One tab refreshes for all: a refresh token that is used twice ends the session. Resolves to false if not signed in; rejects
 * if that is unknown.
 */
const refresh = (): Promise<boolean> =>
  navigator.locks.request('console.refresh', async () => {
    // A time in the future is of a clock that was set back since.
    if (Math.abs(Date.now() - Number(localStorage.getItem(REFRESHED_AT))) < MINUTE_MS) return true;
    try {
      await auth(open).refresh({});
      refreshed();
      return true;
    } catch (error) {
      if (error instanceof ServiceError && error.status === 401) return false;
      throw error;
    }
  });

const refreshed = (): void => localStorage.setItem(REFRESHED_AT, String(Date.now()));

/** Local storage key of this browser's sign-in. Its value is new for each sign-in, and empty after a sign-out. */
const SIGN_IN = 'console.sign_in';

/** True if the user has signed out in this browser; false if the session ended by itself. */
export const hasLeft = (): boolean => !hasKey && localStorage.getItem(SIGN_IN) === '';

/**
 * Must be called when a web session has begun. Opens the page by a full load, so that no data of another account, and
 * no API key, stays in this tab.
 */
export function enter(path: string): void {
  sessionStorage.removeItem(KEY);
  refreshed();
  localStorage.setItem(SIGN_IN, crypto.randomUUID());
  location.assign(path);
}

/**
 * Calls the listener when another tab has signed out (false) or in (true). A tab with an API key ignores other tabs.
 */
export function onOtherSignIn(listener: (isIn: boolean) => void): void {
  let seen = localStorage.getItem(SIGN_IN);
  const look = () => {
    const now = localStorage.getItem(SIGN_IN);
    if (now === seen) return;
    seen = now;
    if (!hasKey) listener(now !== '');
  };
  // A page that is restored from the history has missed the `storage` event.
  for (const type of ['storage', 'pageshow']) addEventListener(type, look);
}

/**
 * Starts to use an API key in this tab, clears the tab's data of another account, and opens the page by a full load.
 */
export function enterByKey(apiKey: string, path: string): void {
  forget();
  sessionStorage.setItem(KEY, apiKey);
  location.assign(path);
}

// A page that is restored from the history still has the key with which it was left.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && sessionStorage.getItem(KEY) !== (key ?? null)) location.reload();
});

/** Ends the web session, or forgets the API key. Rejects if it is unknown whether the session has ended. */
export async function leave(): Promise<void> {
  if (!hasKey) {
    await auth(open).logout({});
    localStorage.setItem(SIGN_IN, '');
  }
  forget();
  forgetDrafts();
  location.assign('/console/sign-in');
}

function forget(): void {
  for (const name of [KEY, OWNER]) sessionStorage.removeItem(name);
  for (const name of [REFRESHED_AT, OWNER]) localStorage.removeItem(name);
  forgetPlaces();
}

/** Switches to the account of this owner, or to the user's own. */
export function actFor(ownerId: string | undefined): void {
  for (const storage of [sessionStorage, localStorage])
    if (ownerId === undefined) storage.removeItem(OWNER);
    else storage.setItem(OWNER, ownerId);
  location.assign('/console/');
}

/** Before the access token expires after 15 minutes. */
setInterval(() => {
  if (isSignedIn.value === true && !hasKey && !document.hidden) void refresh().catch(() => undefined);
}, 12 * MINUTE_MS);

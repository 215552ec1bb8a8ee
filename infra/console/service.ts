import { signal } from '@preact/signals';
import { Connection, ServiceError, auth, type Fetch } from '../../contracts/client/index.ts';
import { tell } from './parts/live.ts';

const KEY = 'service_key';
const OWNER = 'console.owner';
const MINUTE_MS = 60_000;

/** An API key, of somebody who has no person's account. This tab keeps it, and no other. */
const key = sessionStorage.getItem(KEY) ?? undefined;

/** The team owner on whose account this tab acts; a new tab begins with the one chosen last. */
export const owner = sessionStorage.getItem(OWNER) ?? localStorage.getItem(OWNER) ?? undefined;

export const hasKey = key !== undefined;

/** Whether the browser is signed in, as far as answers have told; undefined before the first one. */
export const isSignedIn = signal<boolean | undefined>(undefined);

const baseUrl = location.origin;

/** Asks without a web session. */
export const open = new Connection({ baseUrl });

const fetchSignedIn: Fetch = async (url, init) => {
  let response = await fetch(url, init);
  if (response.status === 401 && !hasKey && (await refresh())) response = await fetch(url, init);
  if (response.status === 401) isSignedIn.value = false;
  else if (response.ok) isSignedIn.value = true;
  if (response.ok && init.method !== 'GET') tell({ kind: 'changed' });
  return response;
};

/** Asks as who is signed in, on the account that the header shows. A web session that has run out is refreshed once. */
export const connection = new Connection({ baseUrl, apiKey: key, onAccountOf: owner, fetch: fetchSignedIn });

/** When a tab of this browser last refreshed, milliseconds since the epoch. */
const REFRESHED_AT = 'console.refreshed_at';

/**
 * One tab refreshes for all: a refresh token that is used twice ends the session. False where nobody is signed in; rejects where that
 * is not known.
 */
const refresh = (): Promise<boolean> =>
  navigator.locks.request('console.refresh', async () => {
    if (Date.now() - Number(localStorage.getItem(REFRESHED_AT)) < MINUTE_MS) return true;
    try {
      await auth(open).refresh({});
      entered();
      return true;
    } catch (error) {
      if (error instanceof ServiceError && error.status === 401) return false;
      throw error;
    }
  });

/** To be called once a web session has begun. */
export function entered(): void {
  localStorage.setItem(REFRESHED_AT, String(Date.now()));
  isSignedIn.value = true;
}

/** Begins to use an API key, in this tab. What the tab has of another account goes. */
export function enterByKey(apiKey: string): void {
  forget();
  sessionStorage.setItem(KEY, apiKey);
  location.assign('/console/');
}

/** Ends the web session, or lets go of the API key. */
export async function leave(): Promise<void> {
  // A session that has ended cannot be ended, and one that cannot be reached runs out.
  if (!hasKey)
    await auth(open)
      .logout({})
      .catch(() => undefined);
  forget();
  location.assign('/console/sign-in');
}

function forget(): void {
  for (const name of [KEY, OWNER]) sessionStorage.removeItem(name);
  for (const name of [REFRESHED_AT, OWNER]) localStorage.removeItem(name);
}

/** Acts on the account of this owner, or on one's own. */
export function actFor(ownerId: string | undefined): void {
  for (const storage of [sessionStorage, localStorage])
    if (ownerId === undefined) storage.removeItem(OWNER);
    else storage.setItem(OWNER, ownerId);
  location.assign('/console/');
}

/** Before the access token runs out after 15 minutes. */
setInterval(() => {
  if (isSignedIn.value === true && !hasKey && !document.hidden) void refresh().catch(() => undefined);
}, 12 * MINUTE_MS);

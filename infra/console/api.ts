import { signal } from '@preact/signals';

/** What the service answers instead of what was asked for (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly instance?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  readonly retry_after_seconds?: number;
}

/** The service answered, and the answer was no; or, without a `problem`, nobody knows what became of the request. */
export class Failed extends Error {
  override readonly name = 'Failed';

  readonly problem: Problem | undefined;

  constructor(problem: Problem | undefined) {
    super(problem?.detail ?? problem?.title ?? 'No answer came.');
    this.problem = problem;
  }

  /** Whether it is this kind of problem, by the last part of its type. */
  is(slug: string): boolean {
    return this.problem?.type.split('/').at(-1) === slug;
  }
}

/** Whether the browser has a web session, as far as answers have told; undefined before the first one. */
export const isSignedIn = signal<boolean | undefined>(undefined);

type Method = 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH';

/** A page that takes so long to answer has lost its request. */
const LIMIT_MS = 30_000;

async function ask(method: Method, path: string, body?: object): Promise<Response> {
  try {
    return await fetch(path, {
      method,
      signal: AbortSignal.timeout(LIMIT_MS),
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  } catch {
    throw new Failed(undefined);
  }
}

async function problemOf(response: Response): Promise<Problem> {
  const unreadable = {
    type: 'about:blank',
    title: `The service answered ${response.status}.`,
    status: response.status,
  };
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
  return isProblem ? ((await response.json().catch(() => unreadable)) as Problem) : unreadable;
}

/** Asks without a web session. Rejects with `Failed`. */
export async function callOpen<T>(method: Method, path: string, body?: object): Promise<T> {
  const response = await ask(method, path, body);
  if (!response.ok) throw new Failed(await problemOf(response));
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** Asks with the web session, which is refreshed once where it has run out. Rejects with `Failed`. */
export async function call<T>(method: Method, path: string, body?: object): Promise<T> {
  try {
    const answer = await callOpen<T>(method, path, body);
    isSignedIn.value = true;
    return answer;
  } catch (error) {
    if (!(error instanceof Failed) || error.problem?.status !== 401) throw error;
  }
  await refresh();
  return callOpen<T>(method, path, body);
}

/** When a tab of this browser last refreshed, milliseconds since the epoch. */
const REFRESHED_AT = 'console.refreshed_at';
/** Access tokens are good for longer. */
const FRESH_MS = 60_000;

/** One tab refreshes for all: a refresh token that is used twice ends the session. Rejects where nobody is signed in. */
export const refresh = (): Promise<void> =>
  navigator.locks.request('console.refresh', async () => {
    if (Date.now() - Number(localStorage.getItem(REFRESHED_AT)) < FRESH_MS) return;
    try {
      await callOpen('POST', '/v1/auth/refresh', {});
      entered();
    } catch (error) {
      if (error instanceof Failed && error.problem !== undefined) isSignedIn.value = false;
      throw error;
    }
  });

/** To be called once a web session has begun. */
export function entered(): void {
  localStorage.setItem(REFRESHED_AT, String(Date.now()));
  isSignedIn.value = true;
}

/** To be called once it has ended. */
export function left(): void {
  localStorage.removeItem(REFRESHED_AT);
  isSignedIn.value = false;
}

/** Before the access token runs out after 15 minutes. */
const REFRESH_EVERY_MS = 12 * 60_000;

setInterval(() => {
  if (isSignedIn.value === true && !document.hidden) void refresh().catch(() => undefined);
}, REFRESH_EVERY_MS);

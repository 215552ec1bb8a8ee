import { base } from './places.ts';

const NEXT = 'console.next';

/** Remembers the page to open after the sign-in: the one that redirected here, if it is in the console. */
export function rememberNext(path: string): void {
  if (path.startsWith(`${base}/`)) sessionStorage.setItem(NEXT, path);
}

export function takeNext(): string {
  const next = sessionStorage.getItem(NEXT) ?? `${base}/`;
  sessionStorage.removeItem(NEXT);
  return next;
}

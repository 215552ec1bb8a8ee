import { base } from './places.ts';

const NEXT = 'console.next';

/** Where the reader goes once signed in: the page that sent them here, if it was one of ours. */
export function rememberNext(path: string): void {
  if (path.startsWith(`${base}/`)) sessionStorage.setItem(NEXT, path);
}

export function takeNext(): string {
  const next = sessionStorage.getItem(NEXT) ?? `${base}/`;
  sessionStorage.removeItem(NEXT);
  return next;
}

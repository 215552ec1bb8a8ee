const keyOf = (path: string) => `console.token ${path}`;

/**
 * Returns the token in the address of this page: behind `#`, where no server receives it, or in the query, as in mails. Removes it
 * from the address bar and the history at once, so that no copied link or bookmark contains it; this tab keeps it until it is
 * used, also after a reload.
 */
export function takeToken(): string {
  const { pathname, search, hash } = location;
  const [query, fragment] = [new URLSearchParams(search), new URLSearchParams(hash.slice(1))];
  const token = fragment.get('token') ?? query.get('token');
  if (token !== null) {
    sessionStorage.setItem(keyOf(pathname), token);
    query.delete('token');
    const rest = query.toString();
    const anchor = fragment.has('token') ? '' : hash;
    history.replaceState(history.state, '', `${pathname}${rest === '' ? '' : `?${rest}`}${anchor}`);
  }
  return sessionStorage.getItem(keyOf(pathname)) ?? '';
}

/** Must be called once the token of the page at this path was used. */
export const dropToken = (pathname: string): void => sessionStorage.removeItem(keyOf(pathname));
